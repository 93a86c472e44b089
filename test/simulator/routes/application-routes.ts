import type {
  APIUser,
  RESTGetAPIGatewayBotResult,
  RESTGetCurrentApplicationResult,
} from 'discord-api-types/v10';
import type { SimulatedBot } from '../bot-model.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { SimulatedGuild } from '../guild-model.ts';
import { DiscordError, requireBot } from '../rest-route.ts';
import type { RestAnswer, RestRequest, RouteHandler } from '../rest-route.ts';

interface ApplicationWorld {
  readonly url: () => string;
  readonly settings: GatewaySettings;
  guildsOf(bot: SimulatedBot): SimulatedGuild[];
  findUser(id: string): APIUser | null;
}

export function applicationRoutes(world: ApplicationWorld) {
  return {
    'GET /gateway': () => ({ status: 200, body: { url: world.url() } }),

    'GET /gateway/bot': () => {
      const { recommendedShards, identifiesLeft, maxConcurrency } = world.settings;
      const body: RESTGetAPIGatewayBotResult = {
        url: world.url(),
        shards: recommendedShards,
        session_start_limit: {
          total: 1000,
          remaining: Math.max(0, identifiesLeft),
          reset_after: 14_400_000,
          max_concurrency: maxConcurrency,
        },
      };
      return { status: 200, body };
    },

    'GET /applications/@me': answerApplication,
    'GET /oauth2/applications/@me': answerApplication,
    'GET /users/@me': (request) => ({ status: 200, body: { ...requireBot(request).user, verified: true } }),

    'GET /users/@me/guilds': (request) => {
      const bot = requireBot(request);
      const body = world.guildsOf(bot).map((guild) => ({
        id: guild.id,
        name: guild.name,
        icon: null,
        banner: null,
        owner: false,
        permissions: String(guild.permissionsOf(bot.id)),
        features: [],
      }));
      return { status: 200, body };
    },

    'GET /users/:user': (request) => {
      const user = world.findUser(request.params['user'] ?? '');
      if (!user) throw new DiscordError(404, 10013, 'Unknown User');
      return { status: 200, body: user };
    },
  } satisfies Record<string, RouteHandler>;
}

function answerApplication(request: RestRequest): RestAnswer {
  return { status: 200, body: toApplication(requireBot(request)) };
}

function toApplication(bot: SimulatedBot): RESTGetCurrentApplicationResult {
  return {
    id: bot.id,
    name: bot.name,
    icon: null,
    description: '',
    bot_public: true,
    bot_require_code_grant: false,
    bot: bot.user,
    owner: { id: '1', username: 'developer', discriminator: '0', global_name: null, avatar: null },
    verify_key: '0'.repeat(64),
    team: null,
    flags: bot.flags,
    integration_types_config: { 0: {}, 1: {} },
  } as unknown as RESTGetCurrentApplicationResult;
}
