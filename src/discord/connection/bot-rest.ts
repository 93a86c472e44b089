import { REST, RESTEvents } from '@discordjs/rest';

import { makeRequest } from './make-request.ts';

export interface BotRestOptions {
  readonly token: string;
  /** Address of Discord without the version. */
  readonly apiUrl: string;
  /** Longest wait for one answer, default 15 s; single calls set less. */
  readonly timeoutMs?: number;
  /** Requests a second for the whole bot; less when several processes share it. Default 50, Discord's own limit. */
  readonly requestsPerSecond?: number;
  /** Called for each 401, 403 and 429: Discord counts them by address, whatever the token. */
  readonly onInvalidAnswer?: (() => void) | undefined;
}

const OPTIONS = {
  version: '10',
  timeout: 15_000,
  // One more try after a lost connection. An answer that arrived twice is refused by Discord and does no harm.
  retries: 1,
  makeRequest,
  invalidRequestWarningInterval: 1,
} as const;

/** Discord's REST with the bot's own token. Never give it a caller's token: a 401 makes an instance drop its own. */
export function createBotRest(options: BotRestOptions): REST {
  const { timeoutMs = OPTIONS.timeout, requestsPerSecond = 50 } = options;
  const rest = new REST({
    ...OPTIONS,
    api: options.apiUrl,
    timeout: timeoutMs,
    globalRequestsPerSecond: requestsPerSecond,
  });
  return countInvalid(rest, options.onInvalidAnswer).setToken(options.token);
}

/**
 * REST for the answers to interactions: their addresses hold a token of their own, and they do not count for the
 * limit of the bot.
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding#endpoints
 */
export function createInteractionRest(options: Pick<BotRestOptions, 'apiUrl' | 'onInvalidAnswer'>): REST {
  // Whoever answers knows which answers may be sent twice.
  const rest = new REST({ ...OPTIONS, retries: 0, api: options.apiUrl, globalRequestsPerSecond: Infinity });
  return countInvalid(rest, options.onInvalidAnswer);
}

function countInvalid(rest: REST, onInvalidAnswer: BotRestOptions['onInvalidAnswer']): REST {
  return rest.on(RESTEvents.InvalidRequestWarning, () => onInvalidAnswer?.());
}
