import { ChannelType, Client, GatewayIntentBits, Status } from 'discord.js';
import { afterAll, describe, expect, test } from 'vitest';

import { quickOrFull } from '../../../fixtures/full-run.ts';
import { Random } from '../../../fixtures/random.ts';
import { computePermissions } from '../../../../src/operations/permission-check/effective-permissions.ts';
import { judge } from './permission-reference.ts';
import { bitOf, NAMES, NO_ROLE, randomFacts, toBits, toFacts, type NamedFacts } from './permission-facts.ts';

const SAMPLES = Number(process.env['PERMISSION_SAMPLES'] ?? quickOrFull(1_500, 50_000));
const ascending = (ids: readonly string[]) => ids.toSorted();

describe('the permissions of a member', () => {
  test.each([{ seed: 17 }, { seed: 4_194_304 }])(
    'and the deciding rule of each match the documents, in many random cases (seed $seed)',
    ({ seed }) => {
      const random = new Random(seed);
      const kinds = new Set<string>();
      const wrong: unknown[] = [];
      for (let count = 0; count < SAMPLES; count += 1) {
        const facts = randomFacts(random);
        const computed = computePermissions(toFacts(facts));
        // All permissions of some cases, and a few of each.
        const names = count % 20 === 0 ? NAMES : random.list(4, 4, () => random.pick(NAMES));
        for (const name of names) {
          const expected = judge(facts, name);
          const { kind, roleIds, isAllowed } = computed.decide(bitOf(name));
          kinds.add(kind);
          const isSame =
            kind === expected.kind &&
            isAllowed === expected.allowed &&
            ((computed.bits & bitOf(name)) !== 0n) === expected.allowed &&
            String(ascending(roleIds)) === String(ascending(expected.roleIds));
          if (!isSame) wrong.push({ name, facts, computed: { kind, roleIds, isAllowed }, expected });
        }
      }
      expect(wrong).toEqual([]);
      expect([...kinds].sort()).toEqual([
        'administrator',
        'everyone_overwrite',
        'implied',
        'member_overwrite',
        'not_granted',
        'owner',
        'role',
        'role_overwrite',
        'thread',
        'timeout',
      ]);
    },
  );

  test('keep undocumented bits as roles and overwrites leave them', () => {
    const strange = 1n << 62n;
    const facts = toFacts({ ...randomFacts(new Random(3)), ownerId: '1', isTimedOut: false, channel: null });
    const roles = new Map([[facts.guildId, { ...NO_ROLE, permissions: strange }]]);
    expect(computePermissions({ ...facts, roles }).bits).toBe(strange);
  });
});

interface PacketHandler {
  status: Status;
  handlePacket(packet: { t: string; d: unknown }, shard: { id: number }): boolean;
}

describe('discord.js', () => {
  const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers] });
  const socket = client.ws as unknown as PacketHandler;
  socket.status = Status.Ready;
  afterAll(() => client.destroy());

  /** The answer of its permissionsFor. It knows nothing of time outs, of threads and of what is implied. */
  function ask(facts: NamedFacts, guildId: string): bigint {
    const own = (id: string) => (id === facts.guildId ? guildId : id);
    const channelId = '900000000000000001';
    const { channel } = facts;
    const kinds = {
      text: ChannelType.GuildText,
      voice: ChannelType.GuildVoice,
      category: ChannelType.GuildCategory,
    };
    const guild = {
      id: guildId,
      name: 'World',
      owner_id: facts.ownerId,
      member_count: 1,
      roles: [...facts.roles].map(([id, names], position) => ({
        id: own(id),
        name: id,
        position,
        permissions: String(toBits(names)),
        colors: {},
        flags: 0,
      })),
      members: [
        { user: { id: facts.userId, username: 'member' }, roles: facts.roleIds, joined_at: null, flags: 0 },
      ],
      channels: [
        {
          id: channelId,
          type: kinds[channel?.kind ?? 'text'],
          name: 'channel',
          permission_overwrites: (channel?.overwrites ?? []).map(({ id, allow, deny }) => ({
            id: own(id),
            type: facts.roles.has(id) ? 0 : 1,
            allow: String(toBits(allow)),
            deny: String(toBits(deny)),
          })),
        },
      ],
      ...Object.fromEntries(
        [
          'threads',
          'presences',
          'voice_states',
          'stage_instances',
          'guild_scheduled_events',
          'emojis',
          'stickers',
          'features',
          'soundboard_sounds',
        ].map((key) => [key, []]),
      ),
    };
    socket.handlePacket({ t: 'GUILD_CREATE', d: guild }, { id: 0 });
    const cached = client.guilds.cache.get(guildId);
    const member = cached?.members.cache.get(facts.userId);
    const where = cached?.channels.cache.get(channelId);
    if (member === undefined || where === undefined || where.isThread()) throw new Error('It is not there.');
    const { bitfield } = where.permissionsFor(member);
    client.guilds.cache.delete(guildId);
    client.channels.cache.delete(channelId);
    return bitfield;
  }

  test('agrees on roles and overwrites, in many random cases', () => {
    const random = new Random(2_026);
    const left = ['VIEW_CHANNEL', 'SEND_MESSAGES', 'CONNECT', 'READ_MESSAGE_HISTORY'];
    const wrong: unknown[] = [];
    let compared = 0;
    for (let count = 0; count < quickOrFull(800, 2_000); count += 1) {
      const drawn = randomFacts(random);
      const channel = drawn.channel === null ? null : { ...drawn.channel, thread: null };
      const facts = { ...drawn, channel, isTimedOut: false };
      const theirs = ask(facts, String(800_000_000_000_000_000n + BigInt(count)));
      const { bits } = computePermissions(toFacts(facts));
      // Where nothing is implied both are the same; else ours is a part of theirs.
      const isBare = channel === null || (theirs & toBits(left)) === toBits(left);
      if (isBare) compared += 1;
      if (isBare ? bits !== theirs : (bits & ~theirs) !== 0n) wrong.push({ facts, bits, theirs });
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(quickOrFull(120, 300));
  });
});
