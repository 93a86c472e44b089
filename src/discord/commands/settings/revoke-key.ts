import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import type { CommandCall, ComponentAction } from '../command.ts';
import { ACCENT, button, container, row, text } from '../../messages/components.ts';
import { encodeCustomId } from '../../messages/custom-id.ts';
import type { PanelMessage } from '../../messages/message.ts';
import { privately, updating, type MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { texts } from '../../messages/texts.ts';
import { findKey, guildOf, MANAGE_KEYS } from './find-key.ts';
import { keyListMessage } from './list-keys.ts';

export async function askRevoke(call: CommandCall, services: Services): Promise<MessagesReply> {
  const entry = await findKey(services, guildOf(call), call.options.string('name') ?? '');
  return privately(confirmation(entry, call.userId));
}

function confirmation(entry: KeyEntry, userId: string): PanelMessage {
  const id = (action: string) => encodeCustomId({ action, userId, argument: entry.keyId });
  return {
    components: [
      container(
        ACCENT.caution,
        text(texts.keys.confirmRevoke(entry.name, entry.publicPart, entry.replacedBy !== null)),
        row(
          button('danger', texts.keys.confirmRevokeButton, id('key-revoke-now')),
          button('secondary', texts.cancel, id('key-cancel')),
        ),
      ),
    ],
  };
}

/** From the list. */
export const askRevokeKey: ComponentAction = {
  action: 'key-revoke',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(call, services) {
    return updating(confirmation(await findKey(services, guildOf(call), call.argument), call.userId));
  },
};

export const revokeKeyNow: ComponentAction = {
  action: 'key-revoke-now',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: 'command',
  async run(call, services) {
    const entry = await services.keys.revoke(guildOf(call), call.argument);
    return updating(
      await keyListMessage(call, services, 0, texts.keys.revokedNow(entry.name, entry.replacedBy !== null)),
    );
  },
};

export const cancelKeyAction: ComponentAction = {
  action: 'key-cancel',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(call, services) {
    return updating(await keyListMessage(call, services, 0, texts.keys.cancelled));
  },
};
