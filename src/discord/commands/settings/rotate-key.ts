import type { APISelectMenuOption } from 'discord-api-types/v10';

import { BUILDERS, type BuilderId } from '../../../guild-keys/builders.ts';
import {
  OVERLAP_SECONDS_DEFAULT,
  type KeyEntry,
  type OverlapSeconds,
} from '../../../guild-keys/guild-keys.ts';
import type { CommandCall, ComponentAction } from '../command.ts';
import { ACCENT, button, container, row, select, text } from '../../messages/components.ts';
import { encodeCustomId } from '../../messages/custom-id.ts';
import { updating, type MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { texts } from '../../messages/texts.ts';
import { requireBot } from './create-key.ts';
import { findKey, guildOf } from './find-key.ts';
import { issuedKeyReply } from './issued-key.ts';
import { MANAGE_KEYS } from './manage-keys.ts';

const OVERLAPS: readonly OverlapSeconds[] = [0, 3_600, 86_400, 604_800];

function readOverlap(seconds: number | null): OverlapSeconds {
  return OVERLAPS.find((overlap) => overlap === seconds) ?? OVERLAP_SECONDS_DEFAULT;
}

export async function rotateKey(call: CommandCall, services: Services): Promise<MessagesReply> {
  const guildId = guildOf(call);
  const entry = await findKey(services, guildId, call.options.string('name') ?? '');
  const overlapSeconds = readOverlap(call.options.integer('old_key'));
  return rotate({ guildId, userId: call.userId, entry, overlapSeconds, type: 'private' }, services);
}

async function rotate(
  options: {
    readonly guildId: string;
    readonly userId: string;
    readonly entry: KeyEntry;
    readonly overlapSeconds: OverlapSeconds;
    readonly type: 'private' | 'update';
  },
  services: Services,
): Promise<MessagesReply> {
  const { guildId, userId, entry, overlapSeconds, type } = options;
  requireBot(guildId, services);
  const issued = await services.keys.rotate({
    guildId,
    keyId: entry.keyId,
    overlapSeconds,
    createdBy: userId,
  });
  const note =
    overlapSeconds === 0
      ? texts.keys.oldKeyEnded
      : texts.keys.oldKeyLives(issued.entry.createdAt + overlapSeconds * 1_000);
  const heading = texts.keys.rotated(entry.name);
  const builder = builderOf(entry);
  return issuedKeyReply(
    { issued, guildId, userId, builder, isChosen: builder !== 'code', heading, note, type },
    services,
  );
}

/** A key does not remember its builder, only how it wants its answers; that tells the two with a wish. */
function builderOf({ flat, always200 }: KeyEntry): BuilderId {
  const special = (['bdfd', 'botghost'] as const).find(
    (id) => BUILDERS[id].flat === flat && BUILDERS[id].always200 === always200,
  );
  return special ?? 'code';
}

/** From the list: asks how long the old key lives on, which is the confirmation as well. */
export const askRotateKey: ComponentAction = {
  action: 'key-rotate',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(call, services) {
    const entry = await findKey(services, guildOf(call), call.argument);
    const id = (action: string) => encodeCustomId({ action, userId: call.userId, argument: entry.keyId });
    const options = OVERLAPS.map((seconds): APISelectMenuOption => ({
      label: texts.keys.overlaps[seconds],
      value: String(seconds),
    }));
    return updating({
      components: [
        container(
          ACCENT.caution,
          text(texts.keys.confirmRotate(entry.name)),
          row(select(id('key-rotate-now'), texts.keys.overlapPlaceholder, options)),
          row(button('secondary', texts.cancel, id('key-cancel'))),
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
    const entry = await findKey(services, guildId, call.argument);
    const overlapSeconds = readOverlap(Number(call.values[0]));
    return rotate({ guildId, userId: call.userId, entry, overlapSeconds, type: 'update' }, services);
  },
};
