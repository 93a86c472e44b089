import { PermissionFlagsBits } from 'discord-api-types/v10';

import type { SimulatedGuild } from '../guild-model.ts';
import { isObject, textOf } from '../read-json.ts';
import { DiscordError, invalidForm, requireBot } from '../rest-route.ts';
import type { RestRequest, RouteHandler } from '../rest-route.ts';
import type { SnowflakeSource } from '../snowflakes.ts';
import { findGuildOf, type GuildWorld } from './guild-routes.ts';

/** https://docs.discord.com/developers/resources/audit-log#audit-log-entry-object */
const REASON_LENGTH_MAX = 512;
/** https://docs.discord.com/developers/resources/guild#modify-guild-member */
const TIMEOUT_MS_MAX = 28 * 24 * 60 * 60 * 1000;

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

  return {
    'PATCH /guilds/:guild/members/:user': (request) => {
      const { guild, bot, body } = prepare(request, PermissionFlagsBits.ModerateMembers);
      const id = request.params['user'] ?? '';
      const member = guild.members.get(id);
      if (!member) throw new DiscordError(404, 10007, 'Unknown Member');
      if (id === guild.ownerId || topPosition(guild, id) >= topPosition(guild, bot.id)) {
        throw missingPermissions();
      }
      const until = body['communication_disabled_until'];
      if (typeof until !== 'string' || Date.parse(until) > Date.now() + TIMEOUT_MS_MAX) {
        throw invalidForm('communication_disabled_until', 'INVALID_COMMUNICATION_DISABLED_TIMESTAMP', 'No');
      }
      const changed = { ...member, timedOutUntil: until };
      guild.members.set(changed);
      return { status: 200, body: guild.toMember(changed) };
    },

    'POST /guilds/:guild/roles': (request) => {
      const { guild, own, body } = prepare(request, PermissionFlagsBits.ManageRoles);
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

function topPosition(guild: SimulatedGuild, userId: string): number {
  const roles = guild.members.get(userId)?.roles ?? [];
  return Math.max(0, ...roles.map((id) => guild.roles.get(id)?.position ?? 0));
}
