import type { APIComponentInContainer } from 'discord-api-types/v10';

import { BUILDERS } from '../../../guild-keys/builders.ts';
import { LIVE_KEYS_MAX, type KeyEntry } from '../../../guild-keys/guild-keys.ts';
import type { CommandCall, ComponentAction } from '../command.ts';
import { ACCENT, button, container, row, text } from '../../messages/components.ts';
import { encodeCustomId } from '../../messages/custom-id.ts';
import type { Invocation } from '../../interactions/invocation.ts';
import type { PanelMessage } from '../../messages/message.ts';
import { privately, updating, type MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { texts } from '../../messages/texts.ts';
import { guildOf, isWorking, MANAGE_KEYS } from './find-key.ts';

/** Four components a key (a text and a row of two buttons) keep a page below Discord's forty. */
const PAGE_LENGTH = 8;
const ENDED_SHOWN = 8;

export async function listKeys(call: CommandCall, services: Services): Promise<MessagesReply> {
  return privately(await keyListMessage(call, services, 0, null));
}

/**
 * @param page from 0
 * @param notice what has just been done
 */
export async function keyListMessage(
  invocation: Invocation,
  services: Services,
  page: number,
  notice: string | null,
): Promise<PanelMessage> {
  const guildId = guildOf(invocation);
  const [entries, lastUsed] = await Promise.all([
    services.keys.list(guildId),
    services.usage.lastUsed(guildId),
  ]);
  const working = entries.filter((entry) => isWorking(entry));
  const live = working.filter(({ state }) => state === 'live').length;
  const pageLast = Math.max(0, Math.ceil(working.length / PAGE_LENGTH) - 1);
  const shown = Math.min(page, pageLast);
  const id = (action: string, argument: string) =>
    encodeCustomId({ action, userId: invocation.userId, argument });

  const parts: APIComponentInContainer[] = [
    text([...(notice === null ? [] : [notice]), texts.keys.heading(live, LIVE_KEYS_MAX)].join('\n')),
  ];
  if (working.length === 0) parts.push(text(texts.keys.none(services.mention('settings key create'))));
  for (const entry of working.slice(shown * PAGE_LENGTH, (shown + 1) * PAGE_LENGTH)) {
    parts.push(text(entryText(entry, lastUsed.get(entry.keyId) ?? null)));
    parts.push(
      row(
        ...(entry.state === 'live'
          ? [button('secondary', texts.keys.rotate, id('key-rotate', entry.keyId))]
          : []),
        button('danger', texts.keys.revoke, id('key-revoke', entry.keyId)),
      ),
    );
  }
  const ended = endedText(entries.filter((entry) => !isWorking(entry)));
  if (ended !== null) parts.push(text(ended));
  if (pageLast > 0) {
    parts.push(
      row(
        {
          ...button('secondary', texts.keys.newer, id('key-list', String(shown - 1))),
          disabled: shown === 0,
        },
        {
          ...button('secondary', texts.keys.older, id('key-list', String(shown + 1))),
          disabled: shown === pageLast,
        },
      ),
    );
  }
  return { components: [container(ACCENT.neutral, ...parts)] };
}

function entryText(entry: KeyEntry, lastUsedAt: number | null): string {
  const flags = [
    entry.builder === null ? '' : ` · ${BUILDERS[entry.builder].label}`,
    entry.flat ? texts.keys.answersFlat : '',
    entry.always200 ? texts.keys.answersAlways200 : '',
    entry.operations === null ? '' : texts.keys.onlyFor(entry.operations),
  ].join('');
  return texts.keys.entry({ ...entry, lastUsedAt, replaced: entry.state === 'replaced', flags });
}

function endedText(ended: readonly KeyEntry[]): string | null {
  if (ended.length === 0) return null;
  const lines = ended.slice(0, ENDED_SHOWN).map((entry) => {
    const revoked = entry.revokedAt !== null;
    const how = revoked ? texts.keys.revoked : texts.keys.expired;
    return texts.keys.endedEntry(
      entry.name,
      entry.publicPart,
      how,
      entry.revokedAt ?? entry.expiresAt ?? entry.createdAt,
    );
  });
  return [texts.keys.ended(ended.length), ...lines].join('\n');
}

export const turnKeyList: ComponentAction = {
  action: 'key-list',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(call, services) {
    return updating(await keyListMessage(call, services, Math.max(0, Number(call.argument) || 0), null));
  },
};
