import { time, type BaseInteraction } from 'discord.js';

import type { CommandContext, ComponentAction } from '../command.ts';
import { keyBuilderOf, type KeyBuilderId } from '../../../recipes/builders.ts';
import type { IssuedKey } from '../../../guild-keys/guild-keys.ts';
import { Problem } from '../../../kernel/problem.ts';
import { firstRecipe } from '../../../recipes/first-recipe.ts';
import {
  ACCENT,
  button,
  container,
  encodeCustomId,
  row,
  separator,
  text,
} from '../../messages/components.ts';
import { clip, codeBlock, inlineCode } from '../../messages/markdown.ts';
import { updating, type MessagesReply, type ComponentsMessage } from '../../messages/reply.ts';
import { guildOf } from '../permitted.ts';
import { translatorFor, type Translator } from '../../locales/translator.ts';

interface ShownKey {
  readonly issued: IssuedKey;
  readonly builder: KeyBuilderId;
  /** False when the admin chose no builder, and this one is only an example. */
  readonly isChosen: boolean;
  readonly heading: string;
  /** A sentence about the end of the old key, or null without one. */
  readonly note: string | null;
  readonly type: 'private' | 'update';
}

/** The length of a name in the custom id. A name of 32 characters can have 64 code units, so it may be cut. */
const SAVED_NAME_LENGTH_MAX = 40;

/**
 * The one message that shows a key. If Discord does not take it, the key is revoked, because the user cannot have it.
 */
export async function issuedKeyReply(
  shown: ShownKey,
  interaction: BaseInteraction,
  context: CommandContext,
): Promise<MessagesReply> {
  const { issued, type } = shown;
  const guildId = guildOf(interaction);
  const withdraw = async (cause: unknown): Promise<Problem> => {
    try {
      await context.keys.withdraw(guildId, issued.entry.keyId);
    } catch (error) {
      const part = issued.entry.publicPart;
      return new Problem('storage_unavailable/key_not_shown', { values: { part }, cause: error });
    }
    return new Problem('discord_unavailable/key_not_shown', { cause });
  };
  let message: ComponentsMessage;
  try {
    message = issuedKeyMessage(shown, interaction, context);
  } catch (error) {
    throw await withdraw(error);
  }
  return {
    type,
    messages: [message],
    async onUndelivered(error) {
      throw await withdraw(error);
    },
  };
}

function issuedKeyMessage(
  shown: ShownKey,
  { user, locale }: BaseInteraction,
  context: CommandContext,
): ComponentsMessage {
  const { issued, builder, isChosen, heading, note } = shown;
  const translator = translatorFor(locale);
  const { key, entry } = issued;
  const saved = encodeCustomId({
    action: hideSavedKey.action,
    userId: user.id,
    argument: `${entry.publicPart} ${clip(entry.name, SAVED_NAME_LENGTH_MAX)}`,
  });
  const about = [
    entry.publicPart,
    describeExpiry(entry.expiresAt, translator),
    ...(isChosen ? [keyBuilderOf(builder).label] : []),
  ];
  return {
    components: [
      container(
        ACCENT.good,
        text([heading, translator.translate('keys.copyNow'), ...(note === null ? [] : [note])].join('\n')),
        text(codeBlock(key)),
        text([`-# ${about.join(' · ')}`, ...describeScope(entry.operations, context, translator)].join('\n')),
        separator(),
        text(stepsText(shown, context.publicUrl(), translator)),
        row(button('Success', translator.translate('keys.savedIt'), saved)),
      ),
    ],
  };
}

/** Says when a key expires. */
export function describeExpiry(expiresAt: number | null, translator: Translator): string {
  return expiresAt === null
    ? translator.translate('keys.neverExpires')
    : translator.translate('keys.expires', { at: time(new Date(expiresAt), 'f') });
}

/** Sentences about the operations of the key, and about the members that its holder can find out about. */
function describeScope(
  scope: readonly string[] | null,
  context: CommandContext,
  translator: Translator,
): readonly string[] {
  const revealed = context.operations
    .filter(({ name, aboutMembers }) => aboutMembers && (scope === null || scope.includes(name)))
    .flatMap(({ name }) => translator.about('reveals', name) ?? []);
  return [
    ...(scope === null
      ? []
      : [
          translator.translate('keys.scope', {
            operations: translator.list(scope.map((name) => inlineCode(name))),
          }),
        ]),
    revealed.length === 0
      ? translator.translate('keys.revealsNothing')
      : translator.translate('keys.reveals', { what: translator.list(revealed) }),
  ];
}

/** Says where the recipe is, and how it begins in the builder. The key itself is not in this text. */
function stepsText(
  { builder, isChosen, issued }: ShownKey,
  publicUrl: string,
  translator: Translator,
): string {
  const recipe = firstRecipe(builder, publicUrl, issued.entry.operations);
  if (recipe === null) return translator.translate('keys.examples', { docs: `${publicUrl}/docs` });
  return [
    translator.translate(isChosen ? 'keys.try' : 'keys.tryAny', { builder: keyBuilderOf(builder).label }),
    translator.translate('keys.recipe', { recipe: recipe.url }),
    ...(recipe.steps.length === 0 ? [] : [translator.translate('keys.firstSteps')]),
    ...recipe.steps.map((step, at) => `${at + 1}. ${translator.step(step)}`),
  ].join('\n');
}

/** Removes the key from the message. It needs only the click, so it works when storage is down. */
export const hideSavedKey: ComponentAction = {
  action: 'key-saved',
  defer: null,
  bucket: null,
  async run(interaction, argument, context) {
    const translator = translatorFor(interaction.locale);
    const [, publicPart = '', name = ''] = /^(\S*) (.*)$/s.exec(argument) ?? [];
    return updating({
      components: [
        container(
          ACCENT.good,
          text(translator.translate('keys.saved', { name: inlineCode(name), part: inlineCode(publicPart) })),
          text(
            translator.translate('keys.manage', {
              list: context.mention('settings key list'),
              usage: context.mention('settings usage'),
            }),
          ),
        ),
      ],
    });
  },
};
