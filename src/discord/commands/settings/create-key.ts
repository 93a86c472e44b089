import type { ApplicationCommandOptionChoiceData, AutocompleteInteraction } from 'discord.js';

import { keyBuilderOf, KEY_BUILDERS } from '../../../recipes/builders.ts';
import { EXPIRY_DAYS, KEY_NAME_LENGTH_MAX } from '../../../guild-keys/guild-keys.ts';
import { ALL_BUT_MEMBERS, ALL_OPERATIONS, readOperations } from '../../../operations/operation-choice.ts';
import { mayBegin } from '../../../kernel/edit-distance.ts';
import { Problem } from '../../../kernel/problem.ts';
import { inlineCode } from '../../messages/markdown.ts';
import { CHOICE_LENGTH_MAX, CHOICES_MAX, type CommandContext } from '../command.ts';
import { commandBody } from '../command-of.ts';
import { choiceOption, numberChoiceOption, required, textOption } from '../options.ts';
import { translatorFor } from '../../locales/translator.ts';
import { guildOf } from '../permitted.ts';
import { issuedKeyReply } from './issued-key.ts';

/** In days. 0 is never. */
const EXPIRIES = [0, ...EXPIRY_DAYS] as const;
const OPTION_PATH = 'settings.options.key.options.create.options.operations';
/** Choices that each mean several operations. */
const WHOLE_CHOICES = [ALL_OPERATIONS, ALL_BUT_MEMBERS] as const;
type WholeChoice = (typeof WHOLE_CHOICES)[number];

/** `/settings key create`. */
export const createKey = commandBody({
  options: {
    name: required(textOption({ min_length: 1, max_length: KEY_NAME_LENGTH_MAX })),
    expires: numberChoiceOption(EXPIRIES),
    // The builders have the same names in every language.
    builder: choiceOption(KEY_BUILDERS, (value) => keyBuilderOf(value).label),
    operations: textOption({ max_length: 1_000, complete: suggestOperations }),
  },
  async run({ name, expires, builder, operations }, interaction, context) {
    const guildId = guildOf(interaction);
    requireBot(guildId, context);
    const { flat, always200 } = keyBuilderOf(builder ?? 'code');
    const issued = await context.keys.create({
      guildId,
      name,
      createdBy: interaction.user.id,
      expiresInDays: expires === 0 ? null : expires,
      flat,
      always200,
      builder,
      operations:
        operations === null
          ? null
          : readOperations(meantOperations(operations, interaction.locale), context.operations),
    });
    const heading = translatorFor(interaction.locale).translate('keys.created', {
      name: inlineCode(issued.entry.name),
    });
    return issuedKeyReply(
      { issued, builder: builder ?? 'code', isChosen: true, heading, note: null, type: 'private' },
      interaction,
      context,
    );
  },
});

/** Keys work only while the bot is in the server, so it must be there to make one. */
export function requireBot(guildId: string, context: CommandContext): void {
  if (!context.isInGuild(guildId)) {
    throw new Problem('bad_request/bot_not_in_guild', { values: { invite: context.inviteUrl() } });
  }
}

/**
 * Returns the value of the choice for several operations that was picked, or typed in full. Otherwise returns the text.
 */
function meantOperations(typed: string, locale: string): string {
  return WHOLE_CHOICES.find((choice) => namesOf(choice, locale).includes(fold(typed, locale))) ?? typed;
}

/** Suggests the two choices for several operations, or names of operations, of which the last is being typed, typos and all. */
async function suggestOperations(
  { options, locale }: AutocompleteInteraction,
  context: CommandContext,
): Promise<readonly ApplicationCommandOptionChoiceData[]> {
  const typed = options.getFocused();
  const [, before = '', last = ''] = /^(.*,\s*)?(.*)$/s.exec(typed.toLowerCase()) ?? [];
  const chosen = new Set(before.split(',').map((name) => name.trim()));
  const written = last.trim();
  const whole = WHOLE_CHOICES.filter((choice) =>
    namesOf(choice, locale).some((name) => name.startsWith(fold(typed, locale))),
  ).map((value) => ({ name: nameOf(value, locale), value }));
  const left = context.operations.map(({ name }) => name).filter((name) => !chosen.has(name));
  const exact = left.filter((name) => name.includes(written));
  const isKnown = exact.length > 0 || whole.length > 0;
  const names = (isKnown ? exact : left.filter((name) => mayBegin(written, name)))
    .map((name) => `${before}${name}`)
    .filter((value) => value.length <= CHOICE_LENGTH_MAX)
    .map((value) => ({ name: value, value }));
  return [...whole, ...names].slice(0, CHOICES_MAX);
}

/** Names of a choice for several operations: its value, its English name, and its name in the user's language. */
function namesOf(value: WholeChoice, locale: string): readonly string[] {
  return [value, nameOf(value, 'en'), nameOf(value, locale)].map((each) => fold(each, locale));
}

function nameOf(value: WholeChoice, locale: string): string {
  return translatorFor(locale).name(`${OPTION_PATH}.choices.${value}`);
}

function fold(text: string, locale: string): string {
  return text.normalize().trim().toLocaleLowerCase(locale);
}
