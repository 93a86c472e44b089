import type { BaseInteraction } from 'discord.js';

import type { ComponentAction } from '../command.ts';
import { commandBody } from '../command-of.ts';
import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import { button, encodeCustomId } from '../../messages/components.ts';
import { inlineCode } from '../../messages/markdown.ts';
import { privately, updating, type ComponentsMessage } from '../../messages/reply.ts';
import { translatorFor } from '../../locales/translator.ts';
import { guildOf } from '../permitted.ts';
import { confirmationMessage } from './confirmation-message.ts';
import { findKey, keyOption, MANAGE_KEYS } from './find-key.ts';
import { keyListMessage } from './list-keys.ts';

/** `/settings key revoke`. */
export const revokeKey = commandBody({
  options: { name: keyOption },
  run: async ({ name }, interaction, context) =>
    privately(revokeConfirmation(await findKey(context, guildOf(interaction), name), interaction)),
});

function revokeConfirmation(
  { entry, older }: { readonly entry: KeyEntry; readonly older: readonly KeyEntry[] },
  interaction: BaseInteraction,
): ComponentsMessage {
  const translator = translatorFor(interaction.locale);
  const newestKey = older.length === 0 ? 'keys.confirmRevoke' : 'keys.confirmRevokeBoth';
  const questionKey = entry.replacedBy === null ? newestKey : 'keys.confirmRevokeOlder';
  const question = translator.translate(questionKey, {
    name: inlineCode(entry.name),
    part: inlineCode(entry.publicPart),
  });
  const id = { action: revokeKeyNow.action, userId: interaction.user.id, argument: entry.keyId };
  const confirmation = button('Danger', translator.translate('keys.confirmRevokeButton'), encodeCustomId(id));
  return confirmationMessage([question], confirmation, interaction);
}

/** Runs from the list of keys. */
export const askRevokeKey: ComponentAction = {
  action: 'key-revoke',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(interaction, argument, context) {
    return updating(revokeConfirmation(await findKey(context, guildOf(interaction), argument), interaction));
  },
};

export const revokeKeyNow: ComponentAction = {
  action: 'key-revoke-now',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: 'command',
  async run(interaction, argument, context) {
    const entry = await context.keys.revoke(guildOf(interaction), argument);
    const key = entry.replacedBy === null ? 'keys.revoked' : 'keys.revokedOlder';
    const notice = translatorFor(interaction.locale).translate(key, { name: inlineCode(entry.name) });
    return updating(await keyListMessage(interaction, context, 0, notice));
  },
};
