import { PermissionFlagsBits, type APIRole } from 'discord-api-types/v10';

import type { SimulatedBot } from '../bot-model.ts';
import type { SimulatedGuild } from '../guild-model.ts';
import type { MemberRecord } from '../member-store.ts';
import { isObject, textOf } from '../read-json.ts';
import { DiscordError, invalidForm, requireBot } from '../rest-route.ts';
import type { RestRequest, RouteHandler } from '../rest-route.ts';
import type { SnowflakeSource } from '../snowflakes.ts';
import { findGuildOf, type GuildWorld } from './guild-routes.ts';

/** https://docs.discord.com/developers/resources/audit-log#audit-log-entry-object */
const REASON_LENGTH_MAX = 512;
/** https://docs.discord.com/developers/resources/guild#modify-guild-member */
const TIMEOUT_MS_MAX = 28 * 24 * 60 * 60 * 1000;

const {
  Administrator,
  BanMembers,
  ChangeNickname,
  KickMembers,
  ManageNicknames,
  ManageRoles,
  ModerateMembers,
} = PermissionFlagsBits;

/** Changes that bots make in a guild, if they may. */
export function guildChangeRoutes(world: GuildWorld, ids: SnowflakeSource) {
  const prepare = (request: RestRequest, permission: bigint) => {
    const guild = findGuildOf(world, request);
    if (request.reason !== null && request.reason.length > REASON_LENGTH_MAX) {
      throw invalidForm('reason', 'BASE_TYPE_MAX_LENGTH', 'Must be 512 or fewer in length.');
    }
    const bot = requireBot(request);
    const own = guild.permissionsOf(bot.id);
    if ((own & permission) === 0n) throw missingPermissions();
    return { guild, bot, own, body: isObject(request.body) ? request.body : {} };
  };

  const changeRole = (
    request: RestRequest,
    change: (roles: readonly string[], role: string) => readonly string[],
  ) => {
    const { guild, bot } = prepare(request, ManageRoles);
    const member = requireMember(guild, request.params['user'] ?? '');
    const role = guild.roles.get(request.params['role'] ?? '');
    if (role === undefined) throw new DiscordError(404, 10011, 'Unknown Role');
    const isAbove = bot.id === guild.ownerId || comparePlaces(guild, topRole(guild, bot.id), role) > 0;
    if (role.managed || role.id === guild.id || !isAbove) throw missingPermissions();
    guild.updateMember(member.id, { roles: change(member.roles, role.id) });
    return { status: 204 };
  };

  return {
    'PATCH /guilds/:guild/members/:user': (request) => {
      const body = isObject(request.body) ? request.body : {};
      const id = request.params['user'] ?? '';
      const until = body['communication_disabled_until'];
      const nick = body['nick'];
      const permission = nick === undefined ? ModerateMembers : ManageNicknames;
      // https://docs.discord.com/developers/resources/guild#modify-current-member
      const isOwnNick = nick !== undefined && id === requireBot(request).id;
      const { guild, bot } = prepare(request, isOwnNick ? ChangeNickname : permission);
      const member = requireMember(guild, id);
      if (!isOwnNick) requireBelow(guild, bot, id);
      if (nick !== undefined) {
        return { status: 200, body: guild.toMember(guild.updateMember(id, { nick: textOf(nick) || null })) };
      }
      if ((guild.permissionsOf(id) & Administrator) !== 0n) throw missingPermissions();
      const isLate = typeof until === 'string' && Date.parse(until) > Date.now() + TIMEOUT_MS_MAX;
      if ((typeof until !== 'string' && until !== null) || isLate) {
        throw invalidForm('communication_disabled_until', 'INVALID_COMMUNICATION_DISABLED_TIMESTAMP', 'No');
      }
      const changed = { ...member, timedOutUntil: until };
      guild.members.set(changed);
      return { status: 200, body: guild.toMember(changed) };
    },

    'DELETE /guilds/:guild/members/:user': (request) => {
      const { guild, bot } = prepare(request, KickMembers);
      const { id } = requireMember(guild, request.params['user'] ?? '');
      requireBelow(guild, bot, id);
      guild.removeMember(id);
      return { status: 204 };
    },

    // Somebody who is not in the guild is banned too.
    'PUT /guilds/:guild/bans/:user': (request) => {
      const { guild, bot } = prepare(request, BanMembers);
      const id = request.params['user'] ?? '';
      if (guild.members.get(id) !== null) {
        requireBelow(guild, bot, id);
        guild.removeMember(id);
      }
      return { status: 204 };
    },

    'PUT /guilds/:guild/members/:user/roles/:role': (request) =>
      changeRole(request, (roles, role) => [...new Set([...roles, role])]),

    'DELETE /guilds/:guild/members/:user/roles/:role': (request) =>
      changeRole(request, (roles, role) => roles.filter((id) => id !== role)),

    'POST /guilds/:guild/roles': (request) => {
      const { guild, own, body } = prepare(request, ManageRoles);
      const permissions = textOf(body['permissions']) || '0';
      if ((BigInt(permissions) & ~own) !== 0n) throw missingPermissions();
      const role = guild.createRole({ name: textOf(body['name']), permissions });
      return { status: 200, body: role };
    },

    'POST /guilds/:guild/emojis': (request) => {
      const { body, bot } = prepare(request, PermissionFlagsBits.CreateGuildExpressions);
      if (!textOf(body['image']).startsWith('data:image/')) {
        throw invalidForm('image', 'IMAGE_INVALID', 'Invalid image data');
      }
      const emoji = { id: ids.next(), name: body['name'], roles: [], user: bot.user, animated: false };
      return { status: 201, body: { ...emoji, require_colons: true, managed: false, available: true } };
    },
  } satisfies Record<string, RouteHandler>;
}

function missingPermissions(): DiscordError {
  return new DiscordError(403, 50013, 'Missing Permissions');
}

function requireMember(guild: SimulatedGuild, id: string): MemberRecord {
  const member = guild.members.get(id);
  if (!member) throw new DiscordError(404, 10007, 'Unknown Member');
  return member;
}

/** https://docs.discord.com/developers/topics/permissions#permission-hierarchy */
function requireBelow(guild: SimulatedGuild, bot: SimulatedBot, id: string): void {
  if (id === guild.ownerId || id === bot.id) throw missingPermissions();
  if (bot.id === guild.ownerId) return;
  const [own, other] = [topRole(guild, bot.id), topRole(guild, id)];
  if (other !== null && comparePlaces(guild, own, other) <= 0) throw missingPermissions();
  if (own === null) throw missingPermissions();
}

/** null for a member with @everyone alone. */
function topRole(guild: SimulatedGuild, userId: string): APIRole | null {
  const held = (guild.members.get(userId)?.roles ?? []).map((id) => guild.roles.get(id));
  return held
    .filter((role) => role !== undefined)
    .reduce<APIRole | null>((top, role) => (comparePlaces(guild, top, role) < 0 ? role : top), null);
}

/** Roles of one position are sorted by id, the lowest on top. @everyone is below all others. */
function comparePlaces(guild: SimulatedGuild, first: APIRole | null, second: APIRole): number {
  if (first?.id === second.id) return 0;
  if (first === null || first.id === guild.id) return -1;
  if (second.id === guild.id) return 1;
  return first.position - second.position || (BigInt(first.id) < BigInt(second.id) ? 1 : -1);
}
