import { ComponentType, time, type BaseInteraction } from 'discord.js';

import type { CommandContext, ComponentAction } from '../command.ts';
import { commandBody } from '../command-of.ts';
import { numberChoiceOption } from '../options.ts';
import {
  OVERLAP_SECONDS,
  OVERLAP_SECONDS_DEFAULT,
  type KeyEntry,
  type OverlapSeconds,
} from '../../../guild-keys/guild-keys.ts';
import { button, encodeCustomId } from '../../messages/components.ts';
import { readKeyBuilder } from '../../../recipes/builders.ts';
import { inlineCode } from '../../messages/markdown.ts';
import { privately, updating, type MessagesReply } from '../../messages/reply.ts';
import { translatorFor, type Translator } from '../../locales/translator.ts';
import { requireBot } from './create-key.ts';
import { guildOf } from '../permitted.ts';
import { confirmationMessage } from './confirmation-message.ts';
import { findKey, keyOption, MANAGE_KEYS } from './find-key.ts';
import { issuedKeyReply } from './issued-key.ts';

/** `/settings key rotate`. It asks first only if it would end an older secret that was promised more time. */
export const rotateKey = commandBody({
  options: { name: keyOption, old_key: numberChoiceOption(OVERLAP_SECONDS) },
  async run({ name, old_key: overlap }, interaction, context) {
    const guildId = guildOf(interaction);
    requireBot(guildId, context);
    const translator = translatorFor(interaction.locale);
    const { entry, older } = await findKey(context, guildId, name);
    const overlapSeconds = overlap ?? OVERLAP_SECONDS_DEFAULT;
    if (older.length === 0) {
      return rotate({ entry, overlapSeconds, endsOlder: [], type: 'private' }, interaction, context);
    }
    const customId = rotationId(entry, older, overlapSeconds, interaction);
    const confirmation = button('Danger', translator.translate('keys.confirmRotateButton'), customId);
    const lines = linesOf('keys.confirmRotateNow', entry, older, translator);
    return privately(confirmationMessage(lines, confirmation, interaction));
  },
});

/**
 * Encodes the rotation that a user confirms: the key, the older secrets that may end with it, and how long the key still
 * works.
 */
function rotationId(
  entry: KeyEntry,
  older: readonly KeyEntry[],
  overlap: OverlapSeconds | '',
  { user }: BaseInteraction,
): string {
  const argument = `${entry.keyId} ${older.map(({ keyId }) => keyId).join(',')} ${overlap}`;
  return encodeCustomId({ action: rotateKeyNow.action, userId: user.id, argument });
}

/** The question, and a warning for each older secret that the rotation would end. */
function linesOf(
  question: 'keys.confirmRotate' | 'keys.confirmRotateNow',
  { name }: KeyEntry,
  older: readonly KeyEntry[],
  translator: Translator,
): readonly string[] {
  const warnings = older.map(({ publicPart, expiresAt }) =>
    translator.translate('keys.endsOlder', {
      part: inlineCode(publicPart),
      at: time(new Date(expiresAt ?? 0), 'f'),
    }),
  );
  return [translator.translate(question, { name: inlineCode(name) }), ...warnings];
}

interface Rotation {
  readonly entry: KeyEntry;
  readonly overlapSeconds: OverlapSeconds;
  /** Ids of the older secrets that may end with it. */
  readonly endsOlder: readonly string[];
  readonly type: 'private' | 'update';
}

async function rotate(
  { entry, overlapSeconds, endsOlder, type }: Rotation,
  interaction: BaseInteraction,
  context: CommandContext,
): Promise<MessagesReply> {
  const translator = translatorFor(interaction.locale);
  const issued = await context.keys.rotate({
    guildId: guildOf(interaction),
    keyId: entry.keyId,
    overlapSeconds,
    createdBy: interaction.user.id,
    endsOlder,
  });
  const note =
    overlapSeconds === 0
      ? translator.translate('keys.oldEnded')
      : translator.translate('keys.oldLives', {
          at: time(new Date(issued.entry.createdAt + overlapSeconds * 1_000), 'f'),
        });
  const heading = translator.translate('keys.rotated', { name: inlineCode(entry.name) });
  const builder = readKeyBuilder(entry.builder);
  return issuedKeyReply(
    { issued, builder: builder ?? 'code', isChosen: builder !== null, heading, note, type },
    interaction,
    context,
  );
}

/** Runs from the list of keys. It asks how long the old key still works, and the choice is the confirmation. */
export const askRotateKey: ComponentAction = {
  action: 'key-rotate',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(interaction, argument, context) {
    const translator = translatorFor(interaction.locale);
    const { entry, older } = await findKey(context, guildOf(interaction), argument);
    const select = {
      type: ComponentType.StringSelect as const,
      custom_id: rotationId(entry, older, '', interaction),
      placeholder: translator.translate('keys.overlap'),
      options: OVERLAP_SECONDS.map((seconds) => ({
        label: translator.name(`settings.options.key.options.rotate.options.old_key.choices.${seconds}`),
        value: String(seconds),
      })),
    };
    return updating(
      confirmationMessage(linesOf('keys.confirmRotate', entry, older, translator), select, interaction),
    );
  },
};

export const rotateKeyNow: ComponentAction = {
  action: 'key-rotate-now',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: 'command',
  async run(interaction, argument, context) {
    const guildId = guildOf(interaction);
    requireBot(guildId, context);
    const [keyId = '', older = '', overlap = ''] = argument.split(' ');
    const [chosen] = interaction.isStringSelectMenu() ? interaction.values : [];
    const { entry } = await findKey(context, guildId, keyId);
    const seconds = Number(chosen ?? overlap);
    const overlapSeconds = OVERLAP_SECONDS.find((each) => each === seconds) ?? OVERLAP_SECONDS_DEFAULT;
    const endsOlder = older.split(',');
    return rotate({ entry, overlapSeconds, endsOlder, type: 'update' }, interaction, context);
  },
};
