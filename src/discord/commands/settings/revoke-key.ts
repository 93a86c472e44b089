import type { BaseInteraction } from 'discord.js';

import type { ComponentAction } from '../command.ts';
import { commandBody } from '../command-of.ts';
import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import { ACCENT, button, container, encodeCustomId, row, text } from '../../messages/components.ts';
import { inlineCode } from '../../messages/markdown.ts';
import { privately, updating, type PanelMessage } from '../../messages/reply.ts';
import { wordsFor } from '../../locales/words.ts';
import { guildOf } from '../permitted.ts';
import { findKey, keyOption, MANAGE_KEYS } from './find-key.ts';
import { keyListMessage } from './list-keys.ts';

/** `/settings key revoke`. */
export const revokeKey = commandBody({
  options: { name: keyOption },
  run: async ({ name }, interaction, context) =>
    privately(askToConfirm(await findKey(context, guildOf(interaction), name), interaction)),
});

function askToConfirm(entry: KeyEntry, { user, locale }: BaseInteraction): PanelMessage {
  const words = wordsFor(locale);
  const id = (action: string) => encodeCustomId({ action, userId: user.id, argument: entry.keyId });
  return {
    components: [
      container(
        ACCENT.caution,
        text(
          words.say(entry.replacedBy === null ? 'keys.confirmRevoke' : 'keys.confirmRevokeOlder', {
            name: inlineCode(entry.name),
            part: inlineCode(entry.publicPart),
          }),
        ),
        row(
          button('Danger', words.say('keys.confirmRevokeButton'), id('key-revoke-now')),
          button('Secondary', words.say('cancel'), id('key-cancel')),
        ),
      ),
    ],
  };
}

/** Runs from the list of keys. */
export const askRevokeKey: ComponentAction = {
  action: 'key-revoke',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(interaction, argument, context) {
    return updating(askToConfirm(await findKey(context, guildOf(interaction), argument), interaction));
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
    const notice = wordsFor(interaction.locale).say(key, { name: inlineCode(entry.name) });
    return updating(await keyListMessage(interaction, context, 0, notice));
  },
};

export const cancelKeyAction: ComponentAction = {
  action: 'key-cancel',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(interaction, _argument, context) {
    return updating(
      await keyListMessage(interaction, context, 0, wordsFor(interaction.locale).say('keys.unchanged')),
    );
  },
};
