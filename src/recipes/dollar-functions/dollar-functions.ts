import { chooseByUse, NOTHING, usageOf, type FilledBy, type RecipeParts, type ByUse } from '../recipe.ts';
import { encodePair } from '../request-fields.ts';
import { showFlat, type Replies, type ShowKey } from '../seen-in-discord.ts';
import { SENTENCES, TIMEOUT_SECONDS_MAX } from '../sentences.ts';

// aoi.js, BDFD and ForgeScript share a language of functions, `$name[argument;argument]`. In it, a condition that is
// false ends the command.

export interface Dialect {
  /** A key of the answer. */
  readonly value: ShowKey;
  /** Ends the command with a reply, unless the condition is true. */
  readonly onlyIf: (condition: string, otherwise: string) => string;
  /** The message's image and its first role. All other names are the same in the three builders. */
  readonly image: string;
  readonly role: string;
  readonly replies: Replies;
}

/** The source of the main field's value. */
export function variableOf({ image, role }: Dialect, filledBy: FilledBy): string {
  if (filledBy === 'image') return image;
  if (filledBy === 'role') return role;
  if (filledBy === 'user') return '$authorID';
  return filledBy === 'guild' ? '$guildID' : '$message';
}

/** Ends the command with its usage when the message lacks its input. */
export function inputCheck(
  dialect: Dialect,
  parts: RecipeParts,
  condition = `${variableOf(dialect, parts.filledBy)}!=`,
): string[] {
  const usage = usageOf(parts);
  return usage === null ? [] : [dialect.onlyIf(condition, usage)];
}

/** The main field of a request, encoded. */
export function fieldWith({ main, mainField }: RecipeParts, variable: string): string {
  return main === null ? `${mainField}=${variable}` : encodePair([mainField, main]);
}

interface MemberConditions {
  readonly exists: string;
  /** The member's role is below that of the author. */
  readonly isBelow: string;
}

/** Conditions that an answer must meet before the command acts. */
export function checksBefore(
  { value, onlyIf }: Dialect,
  { exists, isBelow }: MemberConditions,
): ByUse<readonly string[]> {
  const seconds = value('duration_seconds');
  return {
    ...NOTHING,
    time_out: [
      onlyIf(exists, SENTENCES.noMember('!')),
      onlyIf(`${seconds}!=`, SENTENCES.noTime('!')),
      onlyIf(`${seconds}<=${TIMEOUT_SECONDS_MAX}`, SENTENCES.noTime('!')),
      onlyIf(isBelow, SENTENCES.above),
    ],
    make_emoji: [onlyIf(`${value('emoji_ok')}==true`, SENTENCES.noEmoji)],
    post_text: [onlyIf(`${value('state')}==sent`, value('reason'))],
  };
}

/** The reply of the command; null when the chunks are the whole reply. */
export function replyText({ value, replies }: Dialect, parts: RecipeParts): string | null {
  return parts.use === 'send_chunks' ? null : chooseByUse(replies, parts)(showFlat(parts, value));
}
