import type { APISelectMenuOption } from 'discord-api-types/v10';

import {
  OVERLAP_SECONDS_DEFAULT,
  type KeyEntry,
  type OverlapSeconds,
} from '../../../guild-keys/guild-keys.ts';
import type { CommandCall, ComponentAction } from '../command.ts';
import { ACCENT, button, container, row, select, text } from '../../messages/components.ts';
import { encodeCustomId } from '../../messages/custom-id.ts';
import { privately, updating, type MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { texts } from '../../messages/texts.ts';
import { requireBot } from './create-key.ts';
import { findKeyToRotate, guildOf, MANAGE_KEYS } from './find-key.ts';
import { issuedKeyReply } from './issued-key.ts';

const OVERLAPS: readonly OverlapSeconds[] = [0, 3_600, 86_400, 604_800];

function readOverlap(seconds: number | null): OverlapSeconds {
  return OVERLAPS.find((overlap) => overlap === seconds) ?? OVERLAP_SECONDS_DEFAULT;
}

/** Asks only when it would end an older secret that was promised more time. */
export async function rotateKey(call: CommandCall, services: Services): Promise<MessagesReply> {
  const guildId = guildOf(call);
  requireBot(guildId, services);
  const { userId } = call;
  const { entry, older } = await findKeyToRotate(services, guildId, call.options.string('name') ?? '');
  const overlapSeconds = readOverlap(call.options.integer('old_key'));
  if (older.length === 0) {
    return rotate({ guildId, userId, entry, overlapSeconds, endsOlder: [], type: 'private' }, services);
  }
  const now = encodeCustomId({
    action: rotateKeyNow.action,
    userId,
    argument: encodeOrder(entry, older, overlapSeconds),
  });
  const cancel = encodeCustomId({ action: 'key-cancel', userId, argument: entry.keyId });
  return privately({
    components: [
      container(
        ACCENT.caution,
        text([texts.keys.confirmRotateAndEnd(entry.name), ...warnings(older)].join('\n')),
        row(
          button('danger', texts.keys.confirmRotateAndEndButton, now),
          button('secondary', texts.cancel, cancel),
        ),
      ),
    ],
  });
}

/** What somebody has confirmed: which key, which older secrets may end with it, and for how long it lives on. */
function encodeOrder(entry: KeyEntry, older: readonly KeyEntry[], overlap: OverlapSeconds | ''): string {
  return `${entry.keyId} ${older.map(({ keyId }) => keyId).join(',')} ${overlap}`;
}

function warnings(older: readonly KeyEntry[]): readonly string[] {
  return older.map(({ publicPart, expiresAt }) => texts.keys.endsOlder(publicPart, expiresAt ?? 0));
}

async function rotate(
  options: {
    readonly guildId: string;
    readonly userId: string;
    readonly entry: KeyEntry;
    readonly overlapSeconds: OverlapSeconds;
    readonly endsOlder: readonly string[];
    readonly type: 'private' | 'update';
  },
  services: Services,
): Promise<MessagesReply> {
  const { guildId, userId, entry, overlapSeconds, endsOlder, type } = options;
  const issued = await services.keys.rotate({
    guildId,
    keyId: entry.keyId,
    overlapSeconds,
    createdBy: userId,
    endsOlder,
  });
  const note =
    overlapSeconds === 0
      ? texts.keys.oldKeyEnded
      : texts.keys.oldKeyLives(issued.entry.createdAt + overlapSeconds * 1_000);
  const heading = texts.keys.rotated(entry.name);
  const { builder } = entry;
  return issuedKeyReply(
    {
      issued,
      guildId,
      userId,
      builder: builder ?? 'code',
      isChosen: builder !== null,
      heading,
      note,
      type,
    },
    services,
  );
}

/** From the list: asks how long the old key lives on, which is the confirmation as well. */
export const askRotateKey: ComponentAction = {
  action: 'key-rotate',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(call, services) {
    const { entry, older } = await findKeyToRotate(services, guildOf(call), call.argument);
    const id = (action: string, argument: string) =>
      encodeCustomId({ action, userId: call.userId, argument });
    const options = OVERLAPS.map((seconds): APISelectMenuOption => ({
      label: texts.keys.overlaps[seconds],
      value: String(seconds),
    }));
    return updating({
      components: [
        container(
          ACCENT.caution,
          text([texts.keys.confirmRotate(entry.name), ...warnings(older)].join('\n')),
          row(
            select(
              id('key-rotate-now', encodeOrder(entry, older, '')),
              texts.keys.overlapPlaceholder,
              options,
            ),
          ),
          row(button('secondary', texts.cancel, id('key-cancel', entry.keyId))),
        ),
      ],
    });
  },
};

export const rotateKeyNow: ComponentAction = {
  action: 'key-rotate-now',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: 'command',
  async run(call, services) {
    const guildId = guildOf(call);
    requireBot(guildId, services);
    const [keyId = '', older = '', overlap = ''] = call.argument.split(' ');
    const { entry } = await findKeyToRotate(services, guildId, keyId);
    const overlapSeconds = readOverlap(Number(call.values[0] ?? overlap));
    const endsOlder = older.split(',');
    return rotate(
      { guildId, userId: call.userId, entry, overlapSeconds, endsOlder, type: 'update' },
      services,
    );
  },
};
