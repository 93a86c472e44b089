import { APIVersion } from 'discord-api-types/v10';
import type { RateLimitData, RESTOptions } from 'discord.js';

export interface RestSettings {
  /** Address of Discord without the version. */
  readonly apiUrl: string;
  /** Longest wait for Discord to say whether it has taken the first answer to an interaction. Default 5 s. */
  readonly firstAnswerMs?: number | undefined;
}

/** Discord takes the first answer to an interaction for three seconds, and may take two more to say so. */
const FIRST_ANSWER_MS = 5_000;
/** Longest wait for any other call, an upload of 10 MiB included. */
const CALL_MS = 30_000;
/** Longest wait that Discord may ask for before a first answer: after it, nobody waits for one any more. */
const FIRST_ANSWER_WAIT_MS = 2_000;

/** At this interval REST forgets the limits of addresses that were not used meanwhile. */
const HANDLERS_MS = 60_000;

export function restOptions({ apiUrl, firstAnswerMs = FIRST_ANSWER_MS }: RestSettings): Partial<RESTOptions> {
  return {
    api: apiUrl,
    version: APIVersion,
    timeout: CALL_MS,
    // Whoever calls knows what may be sent twice.
    retries: 0,
    // Answers to interactions, which are nearly all calls, do not count for the limit of the bot.
    globalRequestsPerSecond: Infinity,
    invalidRequestWarningInterval: 1,
    // Each answered interaction leaves a handler in memory until then.
    handlerSweepInterval: HANDLERS_MS,
    rejectOnRateLimit: isTooLong,
    makeRequest: (url, init: object) =>
      request(url, init, /\/callback(?:\?|$)/.test(url) ? firstAnswerMs : CALL_MS),
  };
}

function isTooLong({ route, timeToReset, retryAfter }: RateLimitData): boolean {
  const waitMs = Math.max(timeToReset, retryAfter);
  if (route.endsWith('/callback')) return waitMs > FIRST_ANSWER_WAIT_MS;
  return route.startsWith('/webhooks/') && waitMs > CALL_MS;
}

/**
 * Over Node's own fetch. By default REST uses its own copy of undici, which cannot upload files after another version
 * of undici has taken the place that all copies share. REST's deadline ends with the headers of an answer; this one
 * holds for its body as well.
 * @throws what fetch throws; for a failure of the network its cause, which has the code of the failure
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
