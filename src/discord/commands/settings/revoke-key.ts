import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import type { CommandCall, ComponentAction } from '../command.ts';
import { ACCENT, button, container, row, text } from '../../messages/components.ts';
import { encodeCustomId } from '../../messages/custom-id.ts';
import type { Invocation } from '../../interactions/invocation.ts';
import { inlineCode } from '../../messages/markdown.ts';
import type { PanelMessage } from '../../messages/message.ts';
import { privately, updating, type MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { wordsFor } from '../../locales/words.ts';
import { findKey, guildOf, MANAGE_KEYS } from './find-key.ts';
import { keyListMessage } from './list-keys.ts';

export async function askRevoke(call: CommandCall, services: Services): Promise<MessagesReply> {
  const entry = await findKey(services, guildOf(call), call.options.string('name') ?? '');
  return privately(confirmation(entry, call));
}

function confirmation(entry: KeyEntry, { userId, locale }: Invocation): PanelMessage {
  const words = wordsFor(locale);
  const id = (action: string) => encodeCustomId({ action, userId, argument: entry.keyId });
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
          button('danger', words.say('keys.confirmRevokeButton'), id('key-revoke-now')),
          button('secondary', words.say('cancel'), id('key-cancel')),
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
    return updating(confirmation(await findKey(services, guildOf(call), call.argument), call));
  },
};

export const revokeKeyNow: ComponentAction = {
  action: 'key-revoke-now',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: 'command',
  async run(call, services) {
    const entry = await services.keys.revoke(guildOf(call), call.argument);
    const key = entry.replacedBy === null ? 'keys.revoked' : 'keys.revokedOlder';
    const notice = wordsFor(call.locale).say(key, { name: inlineCode(entry.name) });
    return updating(await keyListMessage(call, services, 0, notice));
  },
};

export const cancelKeyAction: ComponentAction = {
  action: 'key-cancel',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(call, services) {
    return updating(await keyListMessage(call, services, 0, wordsFor(call.locale).say('keys.unchanged')));
  },
};
