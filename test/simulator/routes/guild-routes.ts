import type {
  RESTGetAPIGuildMembersResult,
  RESTGetAPIGuildRoleMemberCountsResult,
} from 'discord-api-types/v10';
import type { SimulatedGuild } from '../guild-model.ts';
import { DiscordError, invalidForm, requireBot } from '../rest-route.ts';
import type { RestRequest, RouteHandler } from '../rest-route.ts';

export interface GuildWorld {
  findGuild(id: string): SimulatedGuild | null;
}

const SNOWFLAKE = /^\d{1,20}$/;

/** The guild of a request, if its bot is in it. */
export function findGuildOf(world: GuildWorld, request: RestRequest): SimulatedGuild {
  const id = request.params['guild'] ?? '';
  if (!SNOWFLAKE.test(id)) throw invalidSnowflake('guild_id', id);
  const guild = world.findGuild(id);
  if (!guild) throw new DiscordError(404, 10004, 'Unknown Guild');
  if (!guild.bots.has(requireBot(request))) throw new DiscordError(403, 50001, 'Missing Access');
  return guild;
}

/** Guilds, their roles and members, as far as the bot of the request may see them. */
export function guildRoutes(world: GuildWorld) {
  const guildOf = (request: RestRequest) => findGuildOf(world, request);

  return {
    'GET /guilds/:guild': (request) => {
      const guild = guildOf(request);
      const withCounts = request.query.get('with_counts') === 'true';
      const counts = { approximate_member_count: guild.memberCount, approximate_presence_count: 1 };
      return { status: 200, body: { ...guild.toGuild(), ...(withCounts ? counts : {}) } };
    },

    'GET /guilds/:guild/roles': (request) => ({ status: 200, body: [...guildOf(request).roles.values()] }),

    // @everyone is not among them.
    'GET /guilds/:guild/roles/member-counts': (request) => {
      const guild = guildOf(request);
      const counted = guild.members.countByRole();
      const body: RESTGetAPIGuildRoleMemberCountsResult = {};
      for (const id of guild.roles.keys()) if (id !== guild.id) body[id] = counted.get(id) ?? 0;
      return { status: 200, body };
    },

    'GET /guilds/:guild/members': (request) => {
      const guild = guildOf(request);
      if (!requireBot(request).privilegedIntents.has('GuildMembers')) {
        throw new DiscordError(403, 50001, 'Missing Access');
      }
      const limit = Number(request.query.get('limit') ?? 1);
      const after = request.query.get('after') ?? '0';
      if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
        throw invalidForm('limit', 'NUMBER_TYPE_MAX', 'int value should be between 1 and 1000.');
      }
      if (!SNOWFLAKE.test(after)) throw invalidSnowflake('after', after);
      const page = guild.members.page(after, limit);
      const body: RESTGetAPIGuildMembersResult = page.map((member) => guild.toMember(member));
      return { status: 200, body };
    },

    'GET /guilds/:guild/members/:user': (request) => {
      const guild = guildOf(request);
      const id = request.params['user'] ?? '';
      if (!SNOWFLAKE.test(id)) throw invalidSnowflake('user_id', id);
      const member = guild.members.get(id);
      if (!member) throw new DiscordError(404, 10007, 'Unknown Member');
      return { status: 200, body: guild.toMember(member) };
    },
  } satisfies Record<string, RouteHandler>;
}

function invalidSnowflake(path: string, value: string): DiscordError {
  return invalidForm(path, 'NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`);
}
