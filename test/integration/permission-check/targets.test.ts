import { DiscordAPIError, REST } from '@discordjs/rest';
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import { describe, expect, onTestFinished, test } from 'vitest';

import { Problem } from '../../../src/kernel/problem.ts';
import { RestMembers } from '../../../src/members/rest/rest-members.ts';
import type { OperationContext } from '../../../src/operations/operation.ts';
import { permissionCheck } from '../../../src/operations/permission-check/operation.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { NO_MEMBERS } from '../../fixtures/no-members.ts';
import { startSimulator } from '../../simulator/simulator.ts';

const GUILD = '300000000000000001';
const OWNER = '200000000000000001';
const LOW = '200000000000000002';
const EQUAL = '200000000000000003';
const HIGH = '200000000000000004';
const ADMIN = '200000000000000005';
const PLAIN = '200000000000000006';
const OUTSIDE = '200000000000000099';
const BOT_ROLE = '400000000000000001';
const LOW_ROLE = '400000000000000002';
const HIGH_ROLE = '400000000000000003';
const ADMIN_ROLE = '400000000000000004';
const MANAGED_ROLE = '400000000000000005';
const NO_ROLE = '400000000000000099';

const BOT_PERMISSIONS =
  P.KickMembers | P.BanMembers | P.ModerateMembers | P.ManageNicknames | P.ManageRoles | P.ChangeNickname;

interface Setting {
  readonly permissions?: bigint;
  readonly requiresTwoFactor?: boolean;
  /** As RestMembersOptions has it. */
  readonly permissionInputsKeptMs?: number;
}

async function start({
  permissions = BOT_PERMISSIONS,
  requiresTwoFactor = false,
  permissionInputsKeptMs = 0,
}: Setting = {}) {
  const discord = await startSimulator({
    guilds: [
      {
        id: GUILD,
        ownerId: OWNER,
        requiresTwoFactor,
        roles: [
          { id: BOT_ROLE, name: 'Bot', position: 5, permissions: String(permissions) },
          { id: LOW_ROLE, name: 'Low', position: 2 },
          { id: HIGH_ROLE, name: 'High', position: 9 },
          { id: ADMIN_ROLE, name: 'Admin', position: 1, permissions: String(P.Administrator) },
          { id: MANAGED_ROLE, name: 'Boosters', position: 3, managed: true },
        ],
        members: [
          { id: OWNER },
          { id: LOW, roles: [LOW_ROLE] },
          { id: EQUAL, roles: [BOT_ROLE] },
          { id: HIGH, roles: [LOW_ROLE, HIGH_ROLE] },
          { id: ADMIN, roles: [ADMIN_ROLE] },
          { id: PLAIN },
        ],
      },
    ],
  });
  const { token, id: bot } = discord.bot();
  discord.guild().updateMember(bot, { roles: [BOT_ROLE] });
  const directory = new RestMembers({
    apiUrl: discord.apiUrl,
    ownToken: token,
    permissionInputsKeptMs,
  });
  onTestFinished(async () => {
    await directory.close();
    await discord.close();
  });
  const context: OperationContext = {
    tenantId: GUILD,
    guildId: GUILD,
    secret: null,
    now: Date.now,
    signal: new AbortController().signal,
    images: { fetch: () => Promise.reject(new Problem('internal')) },
    members: NO_MEMBERS,
    idempotencyKey: null,
    deliveries: NO_DELIVERIES,
    restMembers: directory,
  };
  const ask = async (input: Record<string, unknown>) =>
    (await permissionCheck.answer({ user_id: bot, ...input }, context)).value;
  const refusal = async (input: Record<string, unknown>) =>
    ask(input).then(
      () => 'no problem',
      (error: unknown) => (error instanceof Problem ? `${error.code} ${error.field}` : String(error)),
    );
  return { discord, bot, token, ask, refusal };
}

const member = (id: string): `/${string}` => `/guilds/${GUILD}/members/${id}`;

/** True when Discord does it; false when it says that permissions are missing. */
async function isDone(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 403 && error.code === 50_013) return false;
    throw error;
  }
}

describe('permission-check with a target', () => {
  test('answers about the member or the role, and says which role has to move', async () => {
    const { ask, bot } = await start();
    expect(await ask({ permission: 'kick members', target_id: `<@${HIGH}>` })).toMatchObject({
      user_id: bot,
      channel_id: null,
      permission: 'KICK_MEMBERS',
      target_id: HIGH,
      target_role_id: null,
      bitfield: String(BigInt(2_248_473_465_835_073) | BOT_PERMISSIONS),
      allowed: false,
      because: {
        kind: 'role_order',
        role_ids: [BOT_ROLE, HIGH_ROLE],
        text: 'The member\'s highest role, "Bot", is not above the target\'s highest role, "High". In Server Settings > Roles, move "Bot" above "High".',
      },
    });
    expect(await ask({ permission: 'MANAGE_ROLES', target_role_id: `<@&${LOW_ROLE}>` })).toMatchObject({
      target_id: null,
      target_role_id: LOW_ROLE,
      allowed: true,
      because: { kind: 'role', role_ids: [BOT_ROLE], text: 'A role of the member has MANAGE_ROLES.' },
    });
  });

  test('agrees with Discord for every action on every member and role', async () => {
    const { ask, bot, discord, token } = await start();
    const rest = new REST({
      api: discord.apiUrl,
      version: '10',
      retries: 0,
      hashSweepInterval: 0,
      handlerSweepInterval: 0,
    });
    rest.setToken(token);
    const later = new Date(Date.now() + 60_000).toISOString();
    /** What a bot calls to do it. The guild stays as it is, so members are put back. */
    const acts = {
      MODERATE_MEMBERS: (id: string) =>
        rest.patch(member(id), { body: { communication_disabled_until: later } }),
      MANAGE_NICKNAMES: (id: string) => rest.patch(member(id), { body: { nick: 'New' } }),
      KICK_MEMBERS: (id: string) => rest.delete(member(id)),
      BAN_MEMBERS: (id: string) => rest.put(`/guilds/${GUILD}/bans/${id}`),
    };
    const said: Record<string, unknown> = {};
    const done: Record<string, unknown> = {};
    for (const [permission, act] of Object.entries(acts)) {
      for (const id of [OWNER, LOW, EQUAL, HIGH, ADMIN, PLAIN, bot]) {
        const before = discord.guild().members.get(id);
        if (before === null) throw new Error('Nobody is there.');
        const name = `${permission} ${id}`;
        said[name] = (await ask({ permission, target_id: id })).allowed;
        done[name] = await isDone(act(id));
        discord.guild().members.set(before);
      }
    }
    for (const role of [LOW_ROLE, HIGH_ROLE, BOT_ROLE, ADMIN_ROLE, MANAGED_ROLE, GUILD]) {
      said[role] = (await ask({ permission: 'MANAGE_ROLES', target_role_id: role })).allowed;
      done[role] = await isDone(rest.put(`${member(PLAIN)}/roles/${role}`));
    }
    expect(said).toEqual(done);
    expect(new Set(Object.values(said))).toEqual(new Set([true, false]));
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a member with another permission',
      { permission: 'MANAGE_ROLES', target_id: LOW },
      'invalid_field target_id',
    ],
    [
      'a role with another permission',
      { permission: 'BAN_MEMBERS', target_role_id: LOW_ROLE },
      'invalid_field target_role_id',
    ],
    [
      'a target for a permission without targets',
      { permission: 'MOVE_MEMBERS', target_id: LOW },
      'invalid_field target_id',
    ],
    ['a target without a permission', { target_id: LOW }, 'invalid_field target_id'],
    ['a role without a permission', { target_role_id: LOW_ROLE }, 'invalid_field target_role_id'],
    [
      'both targets',
      { permission: 'KICK_MEMBERS', target_id: LOW, target_role_id: LOW_ROLE },
      'invalid_field target_role_id',
    ],
    [
      'both targets with Manage Roles',
      { permission: 'MANAGE_ROLES', target_id: LOW, target_role_id: LOW_ROLE },
      'invalid_field target_id',
    ],
    [
      'a channel beside a target',
      { permission: 'MANAGE_ROLES', target_role_id: LOW_ROLE, channel_id: '500000000000000001' },
      'invalid_field channel_id',
    ],
    [
      'a role that the server does not have',
      { permission: 'MANAGE_ROLES', target_role_id: NO_ROLE },
      'unknown_role target_role_id',
    ],
    [
      'somebody outside of the server',
      { permission: 'KICK_MEMBERS', target_id: OUTSIDE },
      'unknown_member target_id',
    ],
    ['a name in place of an id', { permission: 'BAN_MEMBERS', target_id: 'ada' }, 'invalid_field target_id'],
  ])('refuses %s', async (_what, input, expected) => {
    const { refusal } = await start();
    expect(await refusal(input)).toBe(expected);
  });

  test('allows banning a user outside of the server', async () => {
    const { ask } = await start();
    expect(await ask({ permission: 'BAN_MEMBERS', target_id: OUTSIDE })).toMatchObject({
      target_id: OUTSIDE,
      allowed: true,
      because: { kind: 'role', role_ids: [BOT_ROLE] },
    });
  });

  test.each([
    ['Discord has no such account', 404, 10_013],
    ['Discord refuses the id', 400, 50_035],
  ])('refuses to judge a ban when %s', async (_why, status, code) => {
    const { ask, discord, refusal } = await start({ permissionInputsKeptMs: 60_000 });
    await ask({});
    discord.rest.faults.fail('GET /guilds/:guild/members/:user', status, { code });
    expect(await refusal({ permission: 'BAN_MEMBERS', target_id: OUTSIDE })).toBe('unknown_member target_id');
  });

  test('looks the target up also when the permission is missing, with one more request to Discord', async () => {
    const { ask, discord, refusal } = await start({ permissions: 0n });
    await ask({ permission: 'KICK_MEMBERS' });
    const calls = discord.rest.calls.length;
    expect(await ask({ permission: 'KICK_MEMBERS', target_id: LOW })).toMatchObject({
      allowed: false,
      because: { kind: 'not_granted' },
    });
    expect(discord.rest.calls.length - 2 * calls).toBe(1);
    expect(await refusal({ permission: 'KICK_MEMBERS', target_id: OUTSIDE })).toBe(
      'unknown_member target_id',
    );
    const before = discord.rest.calls.length;
    await ask({ permission: 'MANAGE_ROLES', target_role_id: LOW_ROLE });
    expect(discord.rest.calls.length - before).toBe(calls);
  });

  test('mentions two-factor authentication when the server requires it', async () => {
    const { ask } = await start({ requiresTwoFactor: true });
    const { because } = await ask({ permission: 'KICK_MEMBERS', target_id: LOW });
    expect(because?.text).toBe(
      'A role of the member has KICK_MEMBERS. This server requires two-factor authentication for moderation. If the member is a bot, its owner needs it.',
    );
  });
});
