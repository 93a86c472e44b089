import type { APIApplicationCommand } from 'discord-api-types/v10';
import type { SimulatedBot } from '../bot-model.ts';
import { checkCommands, toCommands } from '../command-rules.ts';
import { DiscordError, invalidForm, requireBot } from '../rest-route.ts';
import type { RestAnswer, RestRequest, RouteHandler } from '../rest-route.ts';
import type { SnowflakeSource } from '../snowflakes.ts';

/** The commands of an application, global or of one guild. */
export function commandRoutes(ids: SnowflakeSource) {
  const overwrite = (request: RestRequest, bot: SimulatedBot, before: readonly APIApplicationCommand[]) => {
    if (!Array.isArray(request.body)) {
      throw invalidForm('_', 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
    }
    checkCommands(request.body);
    return toCommands(request.body, before, bot.id, ids, request.params['guild']);
  };

  return {
    'GET /applications/:application/commands': (request) => list(request, ownBot(request).commands),

    'PUT /applications/:application/commands': (request) => {
      const bot = ownBot(request);
      bot.commands = overwrite(request, bot, bot.commands);
      return { status: 200, body: bot.commands };
    },

    'GET /applications/:application/guilds/:guild/commands': (request) => {
      return list(request, ownBot(request).guildCommands.get(request.params['guild'] ?? '') ?? []);
    },

    'PUT /applications/:application/guilds/:guild/commands': (request) => {
      const bot = ownBot(request);
      const guildId = request.params['guild'] ?? '';
      const commands = overwrite(request, bot, bot.guildCommands.get(guildId) ?? []);
      bot.guildCommands.set(guildId, commands);
      return { status: 200, body: commands };
    },
  } satisfies Record<string, RouteHandler>;
}

function list(request: RestRequest, commands: readonly APIApplicationCommand[]): RestAnswer {
  const withLocalizations = request.query.get('with_localizations') === 'true';
  return { status: 200, body: withLocalizations ? commands : commands.map(stripLocalizations) };
}

function ownBot(request: RestRequest): SimulatedBot {
  const bot = requireBot(request);
  if (request.params['application'] !== bot.id)
    throw new DiscordError(403, 20012, 'You are not authorized to perform this action on this application');
  return bot;
}

/** Without `with_localizations` the list leaves the translations out, at every depth. */
function stripLocalizations<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (key.endsWith('_localizations') ? undefined : inner)),
  ) as Value;
}
