import { Client, Events, GatewayIntentBits, Options, RESTEvents, type WebSocketOptions } from 'discord.js';

import type { Log } from '../../telemetry/log.ts';
import { restOptions, type RestSettings } from './rest-options.ts';

export interface ClientSettings extends RestSettings {
  readonly buildStrategy: NonNullable<WebSocketOptions['buildStrategy']>;
  readonly log: Log;
  /** Called for each 401, 403 and 429: Discord counts them by address, whatever the token. */
  readonly onInvalidAnswer?: (() => void) | undefined;
}

/** Nothing that an interaction names is kept. Guilds and channels must not be limited; they are never passed on. */
const NOTHING_KEPT = {
  ApplicationCommandManager: 0,
  EntitlementManager: 0,
  MessageManager: 0,
  UserManager: 0,
};

/** The client of discord.js over our own connection, not logged in yet. */
export function createClient({ buildStrategy, log, onInvalidAnswer, ...settings }: ClientSettings): Client {
  const client = new Client({
    // The connection has its own; they say here what the bot is for.
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers],
    shards: [0],
    shardCount: 1,
    ws: { buildStrategy },
    rest: restOptions(settings),
    makeCache: Options.cacheWithLimits(NOTHING_KEPT),
    // Nothing can ping by being forgotten.
    allowedMentions: { parse: [] },
    // Commands write JSON as Discord documents it.
    jsonTransformer: (json) => json,
  });
  // A direct message that somebody chose as a channel would stay for good. No channel is ever looked up.
  client.on(Events.InteractionCreate, () => client.channels.cache.clear());
  client.on(Events.Error, (error) => log.error({ err: error }, 'an event of the client failed'));
  client.rest.on(RESTEvents.InvalidRequestWarning, () => onInvalidAnswer?.());
  return client;
}
