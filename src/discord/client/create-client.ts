import {
  APIVersion,
  ApplicationIntegrationType,
  Client,
  Events,
  GatewayIntentBits,
  OAuth2Scopes,
  Options,
  RESTEvents,
  Routes,
  type WebSocketOptions,
  type RateLimitData,
  type RESTOptions,
} from 'discord.js';

import type { Log } from '../../telemetry/log.ts';

export interface ClientSettings {
  /** Discord's URL without the version. */
  readonly apiUrl: string;
  /** Longest wait for Discord to say whether it took the first answer to an interaction. Default 5 s. */
  readonly firstAnswerMs?: number | undefined;
  readonly buildStrategy: NonNullable<WebSocketOptions['buildStrategy']>;
  readonly log: Log;
  /** Called for each 401, 403 and 429. Discord counts them by IP address, with any token. */
  readonly onInvalidRequest?: (() => void) | undefined;
}

/** Discord accepts the first answer to an interaction for three seconds, and may need two more to say so. */
const FIRST_ANSWER_MS = 5_000;
/** Longest wait for any other call, an upload of 10 MiB included. */
const CALL_MS = 30_000;
/**
 * The longest wait for a rate limit before a first answer, which would come too late after it, and before a request for
 * the gateway's URL, whose caller has a deadline and learns from the error how long Discord refuses calls.
 */
const SHORT_WAIT_MS = 2_000;

/** At this interval, REST drops the handlers of routes that were not used in the meantime. */
const HANDLER_SWEEP_MS = 60_000;

/**
 * Caches no objects from interactions. (Caches of guilds and channels must not be limited, but those objects never
 * reach the client.)
 */
const CACHE_LIMITS = {
  ApplicationCommandManager: 0,
  EntitlementManager: 0,
  MessageManager: 0,
  UserManager: 0,
};

/** Makes the discord.js client over our own connection, not logged in yet. */
export function createClient({ buildStrategy, log, onInvalidRequest, ...settings }: ClientSettings): Client {
  const client = new Client({
    // Our connection sets its own intents. These only state what the bot is for.
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers],
    shards: [0],
    shardCount: 1,
    ws: { buildStrategy },
    rest: restOptions(settings),
    makeCache: Options.cacheWithLimits(CACHE_LIMITS),
    // Mentions notify only if a message asks for it.
    allowedMentions: { parse: [] },
    // Commands write JSON in the form that Discord documents.
    jsonTransformer: (json) => json,
  });
  // A user can choose a direct message as a channel option, which would stay in the cache. No channel is ever looked
  // up.
  client.on(Events.InteractionCreate, () => client.channels.cache.clear());
  client.on(Events.Error, (error) => log.error({ err: error }, 'an event of the client failed'));
  client.rest.on(RESTEvents.InvalidRequestWarning, () => onInvalidRequest?.());
  return client;
}

export function restOptions({
  apiUrl,
  firstAnswerMs = FIRST_ANSWER_MS,
}: Pick<ClientSettings, 'apiUrl' | 'firstAnswerMs'>): Partial<RESTOptions> {
  return {
    api: apiUrl,
    version: APIVersion,
    timeout: CALL_MS,
    // Only the caller knows which calls may be repeated.
    retries: 0,
    // Answers to interactions, which are nearly all calls, do not count towards the bot's limit.
    globalRequestsPerSecond: Infinity,
    invalidRequestWarningInterval: 1,
    // Each answered interaction leaves a handler in memory until a sweep.
    handlerSweepInterval: HANDLER_SWEEP_MS,
    rejectOnRateLimit: isTooLong,
    makeRequest: (url, init: object) =>
      request(url, init, /\/callback(?:\?|$)/.test(url) ? firstAnswerMs : CALL_MS),
  };
}

function isTooLong({ route, timeToReset, retryAfter }: RateLimitData): boolean {
  const waitMs = Math.max(timeToReset, retryAfter);
  if (route.endsWith('/callback') || route === Routes.gatewayBot()) return waitMs > SHORT_WAIT_MS;
  return route.startsWith('/webhooks/') && waitMs > CALL_MS;
}

/**
 * Sends a REST request with Node's own fetch. By default REST uses its own copy of undici, which cannot upload files
 * after another version of undici has taken the global dispatcher that all copies share. REST's deadline ends with the
 * headers of an answer, and this one includes its body.
 * @throws what fetch throws; for a network failure its cause, which has the code
 */
async function request(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  try {
    return await fetch(url, { ...init, signal });
  } catch (error) {
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  }
}

/**
 * The link that adds the bot to a server. It asks for no permissions: answers to interactions, the member list over the
 * gateway and the roles of a guild need none.
 * @see https://discord.com/developers/docs/topics/oauth2#bot-authorization-flow
 */
export function inviteLink(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`,
    permissions: '0',
    integration_type: String(ApplicationIntegrationType.GuildInstall),
  });
  return `https://discord.com/oauth2/authorize?${query.toString()}`;
}
