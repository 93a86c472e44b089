import { ChannelType, OverwriteType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { describe, expect, onTestFinished, test } from 'vitest';

import { RestMembers } from '../../../src/members/rest/rest-members.ts';
import type { RestMembersOptions } from '../../../src/members/rest/rest-members-options.ts';
import type { OperationContext } from '../../../src/operations/operation.ts';
import { permissionCheck } from '../../../src/operations/permission-check/operation.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { startSimulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { NO_MEMBERS } from '../../fixtures/no-members.ts';

const GUILD = '300000000000000001';
const OTHER_GUILD = '300000000000000002';
const OWNER = '200000000000000001';
const MEMBER = '200000000000000002';
const INVITED = '200000000000000003';
const ROLE = '400000000000000001';
const CATEGORY = '500000000000000001';
const TEXT = '500000000000000002';
const PRIVATE = '500000000000000003';
const LOCKED = '500000000000000004';
const VOICE = '500000000000000005';
const HIDDEN = '500000000000000006';
const NOW = Date.parse('2026-06-01T00:00:00Z');

const bits = (...flags: bigint[]) => String(flags.reduce((sum, flag) => sum | flag, 0n));
const deny = (id: string, type: OverwriteType, ...flags: bigint[]) => ({
  id,
  type,
  allow: '0',
  deny: bits(...flags),
});

const WORLD: SimulatorOptions = {
  guilds: [
    {
      id: GUILD,
      ownerId: OWNER,
      roles: [
        {
          id: GUILD,
          permissions: bits(
            P.ViewChannel,
            P.SendMessages,
            P.SendMessagesInThreads,
            P.ReadMessageHistory,
            P.AttachFiles,
            P.Connect,
            P.Speak,
          ),
        },
        { id: ROLE, permissions: bits(P.BanMembers) },
      ],
      members: [{ id: OWNER }, { id: MEMBER, roles: [ROLE] }, { id: INVITED }],
      channels: [
        {
          id: CATEGORY,
          type: ChannelType.GuildCategory,
          overwrites: [deny(GUILD, OverwriteType.Role, P.ViewChannel)],
        },
        { id: TEXT, parentId: CATEGORY, overwrites: [deny(ROLE, OverwriteType.Role, P.SendMessages)] },
        { id: PRIVATE, type: ChannelType.PrivateThread, parentId: TEXT, members: [INVITED] },
        { id: LOCKED, type: ChannelType.PublicThread, parentId: TEXT, isLocked: true },
        {
          id: VOICE,
          type: ChannelType.GuildVoice,
          overwrites: [deny(MEMBER, OverwriteType.Member, P.Connect)],
        },
        { id: HIDDEN, isHidden: true },
      ],
    },
    { id: OTHER_GUILD, ownerId: OWNER },
  ],
};

async function start(options: Partial<RestMembersOptions> = {}, world: SimulatorOptions = WORLD) {
  const discord = await startSimulator(world);
  const { token } = discord.bot();
  const directory = new RestMembers({ apiUrl: discord.apiUrl, ownToken: token, ...options });
  onTestFinished(async () => {
    await directory.close();
    await discord.close();
  });
  const ask = async (input: Record<string, unknown> = {}, given: Partial<OperationContext> = {}) => {
    const context: OperationContext = {
      tenantId: GUILD,
      guildId: GUILD,
      secret: null,
      now: () => NOW,
      signal: new AbortController().signal,
      images: { fetch: () => Promise.reject(new Problem('internal')) },
      members: NO_MEMBERS,
      idempotencyKey: null,
      deliveries: NO_DELIVERIES,
      restMembers: directory,
      ...given,
    };
    return (await permissionCheck.answer({ user_id: MEMBER, ...input }, context)).value;
  };
  const problemOf = (input: Record<string, unknown>, given: Partial<OperationContext> = {}) =>
    ask(input, given).then(
      () => expect.fail('It was answered.'),
      (error: unknown) => Problem.from(error),
    );
  const codeOf: (...args: Parameters<typeof problemOf>) => Promise<string> = async (...args) =>
    (await problemOf(...args)).code;
  return { discord, token, ask, problemOf, codeOf };
}

describe('permission-check', () => {
  test('answers with all documented keys, in their order', async () => {
    const { ask } = await start();
    const answer = await ask({
      channel_id: `<#${TEXT}>`,
      user_id: `<@${MEMBER}>`,
      permission: 'send messages',
    });
    expect(Object.keys(answer)).toEqual([
      'ok',
      'guild_id',
      'user_id',
      'channel_id',
      'permission',
      'target_id',
      'target_role_id',
      'bitfield',
      'permissions',
      'allowed',
      'because',
      'source',
    ]);
    expect(answer).toEqual({
      ok: true,
      guild_id: GUILD,
      user_id: MEMBER,
      channel_id: TEXT,
      permission: 'SEND_MESSAGES',
      target_id: null,
      target_role_id: null,
      bitfield: bits(
        P.BanMembers,
        P.ViewChannel,
        P.ReadMessageHistory,
        P.SendMessagesInThreads,
        P.Connect,
        P.Speak,
      ),
      permissions: [
        'BAN_MEMBERS',
        'VIEW_CHANNEL',
        'READ_MESSAGE_HISTORY',
        'CONNECT',
        'SPEAK',
        'SEND_MESSAGES_IN_THREADS',
      ],
      allowed: false,
      because: {
        kind: 'role_overwrite',
        role_ids: [ROLE],
        text: 'The settings of this channel deny SEND_MESSAGES for a role of the member.',
      },
      source: 'gateway',
    });
    expect(await ask()).toMatchObject({
      channel_id: null,
      permission: null,
      target_id: null,
      target_role_id: null,
      allowed: null,
      because: null,
    });
  });

  test("passes on Discord's retry time when it is refused, to the second", async () => {
    const { ask, discord } = await start();
    discord.rest.faults.rateLimit('*', 21);
    await expect(ask()).rejects.toMatchObject({ code: 'discord_rate_limited', retryAfterSeconds: 21 });
  });

  test.each([
    ['the owner', { user_id: OWNER, permission: 'ADMINISTRATOR' }, true, 'owner', []],
    ['a role of theirs', { permission: 'BAN_MEMBERS' }, true, 'role', [ROLE]],
    ['no role that grants it', { permission: 'KICK_MEMBERS' }, false, 'not_granted', []],
    ['the permissions for a file', { channel_id: TEXT, permission: 'ATTACH_FILES' }, false, 'implied', []],
    [
      'a category, but not for its channels',
      { channel_id: CATEGORY, permission: 'VIEW_CHANNEL' },
      false,
      'everyone_overwrite',
      [GUILD],
    ],
    ['a channel in that category', { channel_id: TEXT, permission: 'VIEW_CHANNEL' }, true, 'role', [GUILD]],
    [
      'a thread, as its parent does',
      { channel_id: LOCKED, permission: 'VIEW_CHANNEL' },
      true,
      'role',
      [GUILD],
    ],
    ['a locked thread', { channel_id: LOCKED, permission: 'SEND_MESSAGES_IN_THREADS' }, false, 'thread', []],
    [
      'a private thread, for others',
      { channel_id: PRIVATE, permission: 'VIEW_CHANNEL' },
      false,
      'thread',
      [],
    ],
    [
      'a private thread, for an invited member',
      { user_id: INVITED, channel_id: PRIVATE, permission: 'VIEW_CHANNEL' },
      true,
      'role',
      [GUILD],
    ],
    ['a member who may not connect', { channel_id: VOICE, permission: 'SPEAK' }, false, 'implied', []],
    [
      'a member who may not connect, for messages too',
      { channel_id: VOICE, permission: 'READ_MESSAGE_HISTORY' },
      false,
      'implied',
      [],
    ],
    ['an overwrite for them', { channel_id: VOICE, permission: 'CONNECT' }, false, 'member_overwrite', []],
  ])('is decided by %s', async (_name, input, allowed, kind, roleIds) => {
    const { ask } = await start();
    expect(await ask(input)).toMatchObject({ allowed, because: { kind, role_ids: roleIds } });
  });

  test('reports what is missing and why', async () => {
    const { ask } = await start();
    const { because } = await ask({ channel_id: TEXT, permission: 'ATTACH_FILES' });
    expect(because?.text).toBe(
      'ATTACH_FILES needs SEND_MESSAGES here, which is missing. The settings of this channel deny SEND_MESSAGES for a role of the member.',
    );
  });

  test.each([
    ['a private thread', PRIVATE, 'VIEW_CHANNEL', 'The thread is private. The member is not in it'],
    ['a locked thread', LOCKED, 'SEND_MESSAGES_IN_THREADS', 'The thread is locked'],
    ['any thread', LOCKED, 'SEND_MESSAGES', 'SEND_MESSAGES has no effect in threads'],
  ])('explains a refusal in %s', async (_name, channel_id, permission, text) => {
    const { ask } = await start();
    const { because } = await ask({ channel_id, permission });
    expect(because).toMatchObject({ kind: 'thread', text: expect.stringContaining(text) });
  });

  test.each([
    ['SPAEK', 'Unknown permission: "SPAEK". Did you mean SPEAK?'],
    ['QQQQQQ', 'Unknown permission: "QQQQQQ".'],
  ])('refuses %s, with a similar permission if there is one', async (permission, message) => {
    const { ask } = await start();
    await expect(ask({ permission })).rejects.toMatchObject({ code: 'unknown_permission', message });
  });

  test('ends a time out at its exact instant', async () => {
    const { ask, discord } = await start({ permissionInputsKeptMs: 0 });
    discord.guild().updateMember(MEMBER, { timedOutUntil: '2026-06-01T00:00:00.000000+00:00' });
    expect(await ask({ permission: 'BAN_MEMBERS' })).toMatchObject({ allowed: true });
  });

  test('reports a time out, and when it ends', async () => {
    const { ask, discord } = await start({ permissionInputsKeptMs: 0 });
    discord.guild().updateMember(MEMBER, { timedOutUntil: '2026-06-01T00:00:01.000000+00:00' });
    const during = await ask({ channel_id: TEXT, permission: 'BAN_MEMBERS' });
    expect(during).toMatchObject({ allowed: false, because: { kind: 'timeout' } });
    expect(during.permissions).toEqual(['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY']);
    discord.guild().updateMember(MEMBER, { timedOutUntil: '2026-05-31T23:59:59.000000+00:00' });
    expect(await ask({ permission: 'BAN_MEMBERS' })).toMatchObject({ allowed: true });
  });

  test.each([
    ['an unknown member', { user_id: '200000000000000099' }, 'unknown_member user_id'],
    ['an account that is not there', { user_id: '18446744073709551615' }, 'unknown_member user_id'],
    ['a channel that is not there', { channel_id: '500000000000000099' }, 'unknown_channel channel_id'],
    [
      'a channel of another server',
      { guild_id: OTHER_GUILD, user_id: OWNER, channel_id: TEXT },
      'unknown_channel channel_id',
    ],
    ['a channel that the bot cannot see', { channel_id: HIDDEN }, 'discord_missing_access null'],
    ['a server that the bot is not in', { guild_id: '300000000000000009' }, 'discord_missing_access null'],
    ['an unknown permission', { permission: 'FLY' }, 'unknown_permission permission'],
    ['a placeholder', { user_id: '{user_id}' }, 'unresolved_placeholder user_id'],
  ])('refuses %s', async (_name, input, refusal) => {
    const { problemOf, token } = await start();
    const { code, field } = await problemOf(input, { secret: token });
    expect(`${code} ${field}`).toBe(refusal);
  });

  test('uses the token for other servers and when there is no bot, and says so', async () => {
    const { ask, codeOf, token } = await start({ ownToken: null });
    expect(await codeOf({})).toBe('member_list_unavailable');
    expect(await ask({}, { secret: token })).toMatchObject({ source: 'token' });
    expect(await codeOf({ source: 'gateway' }, { secret: token })).toBe('member_list_unavailable');
    expect(await ask({ guild_id: OTHER_GUILD, user_id: OWNER }, { secret: token })).toMatchObject({
      source: 'token',
    });
    expect(await codeOf({ guild_id: OTHER_GUILD, user_id: OWNER })).toBe('guild_mismatch');
  });

  test('asks Discord again after 10 seconds, and not before', async () => {
    let now = NOW;
    const { ask, discord } = await start({ now: () => now });
    await ask({ channel_id: TEXT });
    const calls = discord.rest.calls.length;
    now += 9_999;
    await ask({ channel_id: TEXT });
    await ask({ channel_id: TEXT, permission: 'CONNECT' });
    expect(discord.rest.calls).toHaveLength(calls);
    discord.guild().updateMember(MEMBER, { roles: [] });
    now += 2;
    expect(await ask({ channel_id: TEXT, permission: 'SEND_MESSAGES' })).toMatchObject({ allowed: true });
  });

  test('does not count unknown members and channels as invalid requests, and a hidden one does not block the server', async () => {
    const { ask, codeOf } = await start({ attempts: { invalidRequestsMax: 2 } });
    for (let n = 10; n < 30; n += 1) {
      expect(await codeOf({ user_id: `2000000000000000${n}` })).toBe('unknown_member');
      expect(await codeOf({ channel_id: `5000000000000000${n}` })).toBe('unknown_channel');
    }
    expect(await codeOf({ channel_id: HIDDEN })).toBe('discord_missing_access');
    expect(await ask({ channel_id: TEXT })).toMatchObject({ ok: true });
  });

  test("with the bot of the service uses up no limit of callers' tokens, however much is hidden from it", async () => {
    const hidden = Array.from({ length: 30 }, (_, n) => ({
      id: String(500_000_000_000_000_100n + BigInt(n)),
      isHidden: true,
    }));
    const [guild] = WORLD.guilds ?? [];
    const { ask, codeOf, token } = await start({}, { guilds: [{ ...guild, id: GUILD, channels: hidden }] });
    const codes: string[] = [];
    for (const { id } of hidden) codes.push(await codeOf({ channel_id: id }));
    // Discord counts refusals too, so there is an end to questions about channels.
    expect([codes.at(0), codes.at(-1)]).toEqual(['discord_missing_access', 'token_attempts']);
    expect(await ask()).toMatchObject({ source: 'gateway' });
    expect(await ask({ source: 'token' }, { secret: token })).toMatchObject({ source: 'token' });
  });

  test('continues after Discord has refused the bot of the service once', async () => {
    let now = NOW;
    const { ask, codeOf, discord, token } = await start({ permissionInputsKeptMs: 0, now: () => now });
    discord.rest.faults.fail('GET /guilds/:guild', 401, { code: 0 });
    expect(await codeOf({})).toBe('discord_unavailable');
    now += 60_001;
    expect(await ask({})).toMatchObject({ source: 'gateway' });
    discord.rest.faults.fail('GET /guilds/:guild', 401, { code: 0 });
    expect(await ask({}, { secret: token })).toMatchObject({ source: 'token' });
  });

  test('uses the token when the bot of the service is missing', async () => {
    const [guild] = WORLD.guilds ?? [];
    const { ask, codeOf, discord } = await start(
      {},
      {
        bots: [
          { name: 'own', guilds: [OTHER_GUILD] },
          { name: 'theirs', guilds: [GUILD] },
        ],
        guilds: [
          { ...guild, id: GUILD },
          { id: OTHER_GUILD, ownerId: OWNER },
        ],
      },
    );
    const { token } = discord.bot('theirs');
    // Discord says that there is no such server.
    discord.rest.faults.fail('GET /guilds/:guild', 404, { code: 10_004 });
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await codeOf({})).toBe('discord_missing_access');
      expect(await ask({}, { secret: token })).toMatchObject({ source: 'token' });
    }
    expect(await codeOf({ source: 'gateway' }, { secret: token })).toBe('discord_missing_access');
  });

  test.each([
    ['GET /guilds/:guild/members/:user', { user_id: '18446744073709551615' }, 'unknown_member'],
    ['GET /channels/:channel', { channel_id: '18446744073709551615' }, 'unknown_channel'],
    ['GET /guilds/:guild', { guild_id: '18446744073709551615' }, 'discord_missing_access'],
  ] as const)('names an id that Discord does not accept: %s', async (route, input, code) => {
    const { codeOf, discord, token } = await start();
    discord.rest.faults.fail(route, 400, { code: 50_035 });
    expect(await codeOf(input, { secret: token })).toBe(code);
  });
});
