import { Client, GatewayIntentBits, Status } from 'discord.js';
import { afterAll, expect, test } from 'vitest';

import { decideAction } from '../../../../src/operations/permission-check/decide-action.ts';
import { computePermissions } from '../../../../src/operations/permission-check/effective-permissions.ts';
import { Random } from '../../../fixtures/random.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';
import { randomAct, toOrderedFacts, toTarget, type OrderedFacts, type ChosenTarget } from './action-facts.ts';

const SHARD = { id: 0, checkReady: () => {} };

interface PacketHandler {
  status: Status;
  handlePacket(packet: { t: string; d: unknown }, shard: typeof SHARD): boolean;
}

const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers] });
const socket = client.ws as unknown as PacketHandler;
afterAll(() => client.destroy());

const member = (id: string, held: readonly string[]) => ({
  user: { id, username: id },
  roles: held,
  joined_at: null,
  flags: 0,
});

/** What kickable, bannable, moderatable, manageable and editable of discord.js say. The bot is who acts. */
function ask(facts: OrderedFacts, permission: string, target: ChosenTarget): boolean | undefined {
  const { order, guildId, ownerId, roleIds, userId } = facts;
  const { roles } = toOrderedFacts(facts);
  const empty = [
    'channels',
    'threads',
    'presences',
    'voice_states',
    'stage_instances',
    'guild_scheduled_events',
  ];
  socket.status = Status.Ready;
  client.user = null;
  socket.handlePacket(
    { t: 'READY', d: { user: { id: userId, username: 'bot' }, application: { id: userId }, guilds: [] } },
    SHARD,
  );
  const others =
    'userId' in target && target.userId !== userId ? [member(target.userId, target.roleIds)] : [];
  const guild = {
    id: guildId,
    name: 'World',
    owner_id: ownerId,
    member_count: 2,
    roles: [...order].map(([id, { position, isManaged }]) => ({
      id,
      name: id,
      position,
      managed: isManaged,
      permissions: String(roles.get(id)?.permissions),
      colors: {},
      flags: 0,
    })),
    members: [member(userId, roleIds), ...others],
    ...Object.fromEntries(
      [...empty, 'emojis', 'stickers', 'features', 'soundboard_sounds'].map((key) => [key, []]),
    ),
  };
  socket.handlePacket({ t: 'GUILD_CREATE', d: guild }, SHARD);
  const cached = client.guilds.cache.get(guildId);
  client.guilds.cache.delete(guildId);
  if ('roleId' in target) return cached?.roles.cache.get(target.roleId)?.editable;
  const other = cached?.members.cache.get(target.userId);
  if (permission === 'KICK_MEMBERS') return other?.kickable;
  if (permission === 'BAN_MEMBERS') return other?.bannable;
  if (permission === 'MODERATE_MEMBERS') return other?.moderatable;
  return other === undefined
    ? undefined
    : other.manageable && cached?.members.me?.permissions.has('ManageNicknames');
}

test("decideAction differs from discord.js only for @everyone, an owner who gives, one's own nickname and position 0", () => {
  const random = new Random(14);
  const wrong: unknown[] = [];
  let compared = 0;
  for (let count = 0; count < quickOrFull(1_000, 20_000); count += 1) {
    const { facts: drawn, permission, target } = randomAct(random);
    const facts = { ...drawn, isTimedOut: false };
    const { guildId, order, ownerId, userId } = facts;
    const isKnown =
      ('roleId' in target && (target.roleId === guildId || userId === ownerId)) ||
      ('userId' in target && target.userId === userId && permission === 'MANAGE_NICKNAMES') ||
      [...order].some(([id, { position }]) => id !== guildId && position === 0);
    if (isKnown) continue;
    compared += 1;
    const ordered = toOrderedFacts(facts);
    const { isAllowed } = decideAction(permission, toTarget(target), ordered, computePermissions(ordered));
    const theirs = ask(facts, permission, target);
    if (theirs !== isAllowed) wrong.push({ facts, permission, target, isAllowed, theirs });
  }
  expect(wrong.slice(0, 2)).toEqual([]);
  expect(compared).toBeGreaterThan(200);
});
