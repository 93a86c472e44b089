import type { REST } from '@discordjs/rest';
import type { Agent } from 'undici';

import { Problem } from '../kernel/problem.ts';
import type { CallOutcome } from './call-outcome.ts';
import { discordRest } from './discord-rest.ts';
import { failedCall, refusedCall, systemCode } from './failed-call.ts';
import { WAIT_MARGIN_MS } from './known-rate-limits.ts';

export interface TokenSenderOptions {
  /** Discord's URL without the version. */
  readonly apiUrl: string;
  /** Deadline of one call. */
  readonly callTimeoutMs: number;
  readonly now: () => number;
}

interface Get {
  readonly token: string;
  readonly digest: string;
  readonly path: `/${string}`;
  readonly query: Readonly<Record<string, string>>;
}

/** The most tokens whose rate limits are remembered. */
const TOKENS_MAX = 256;
/** The rate limits of a token are remembered this long after its last call. Discord's own do not last as long. */
const IDLE_MS = 60_000;
/** A REST object keeps a queue for every guild and channel it was used for, so it is replaced after this many. */
const QUEUES_MAX = 200;
/** A page of 1,000 members with 250 roles each has 6 MB. */
const BODY_BYTES_MAX = 16 * 2 ** 20;
/** Connections to Discord, for all tokens. Further calls wait. */
const CONNECTIONS_MAX = 64;

/** Keeps the rate limits of one token. It holds the token only while a call is under way. */
interface TokenRest {
  readonly rest: REST;
  /** Calls that Discord answered with 429. A call that failed without one was held back by a known limit. */
  readonly refusedUrls: Set<string>;
  callsUnderWay: number;
  idleSince: number;
}

/** Makes calls with tokens of bots, without retries. The REST client of discord.js knows the limits of each token. */
export class TokenSender {
  readonly #options: TokenSenderOptions;
  /** Made with the first call, because loading undici takes a tenth of a start. */
  #agent: Agent | null = null;
  #isClosed = false;
  /** By digest of the token. The one used last is at the end. */
  readonly #rests = new Map<string, TokenRest>();

  constructor(options: TokenSenderOptions) {
    this.#options = options;
  }

  /** @throws Problem `busy` when calls with too many tokens are under way */
  async get({ token, digest, path, query }: Get): Promise<CallOutcome> {
    const tokenRest = this.#acquire(digest, token);
    try {
      const body = await tokenRest.rest.get(path, { query: new URLSearchParams(query) });
      return { kind: 'done', body, resetMs: null };
    } catch (error) {
      return outcomeOf(error, tokenRest.refusedUrls);
    } finally {
      this.#release(digest, tokenRest);
    }
  }

  /** Ends all calls. */
  async close(): Promise<void> {
    this.#rests.clear();
    this.#isClosed = true;
    await this.#agent?.destroy();
  }

  #acquire(digest: string, token: string): TokenRest {
    const idleBefore = this.#options.now() - IDLE_MS;
    for (const [known, { callsUnderWay, idleSince }] of this.#rests) {
      if (callsUnderWay === 0 && idleSince <= idleBefore) this.#rests.delete(known);
    }
    const tokenRest = this.#rests.get(digest) ?? this.#createRest();
    this.#rests.delete(digest);
    this.#rests.set(digest, tokenRest);
    tokenRest.callsUnderWay += 1;
    tokenRest.rest.setToken(token);
    return tokenRest;
  }

  #release(digest: string, tokenRest: TokenRest): void {
    tokenRest.callsUnderWay -= 1;
    if (tokenRest.callsUnderWay > 0) return;
    tokenRest.rest.setToken('');
    tokenRest.refusedUrls.clear();
    tokenRest.idleSince = this.#options.now();
    if (tokenRest.rest.handlers.size > QUEUES_MAX) this.#rests.delete(digest);
  }

  #createRest(): TokenRest {
    if (this.#rests.size >= TOKENS_MAX) {
      const idle = this.#rests.entries().find(([, { callsUnderWay }]) => callsUnderWay === 0);
      if (idle === undefined) throw new Problem('busy', { retryAfterSeconds: 5 });
      this.#rests.delete(idle[0]);
    }
    const refusedUrls = new Set<string>();
    const { REST: Rest } = discordRest();
    const rest = new Rest({
      api: this.#options.apiUrl,
      retries: 0,
      timeout: this.#options.callTimeoutMs,
      offset: WAIT_MARGIN_MS,
      // DiscordCaller waits instead, because its waits can be aborted.
      rejectOnRateLimit: () => true,
      // A REST object with a running sweeper is never freed.
      hashSweepInterval: 0,
      handlerSweepInterval: 0,
      makeRequest: async (url, { headers }) => {
        const answer = await this.#request(url, headers ?? {});
        if (answer.status === 429) refusedUrls.add(url);
        return answer;
      },
    });
    return { rest, refusedUrls, callsUnderWay: 0, idleSince: 0 };
  }

  /** Not `fetch`: it would follow redirects with the token, and unpack bodies of any size. */
  async #request(url: string, requestHeaders: object): Promise<Response> {
    const { Agent, request } = await import('undici');
    if (this.#isClosed) throw new Error('The sender is closed.');
    this.#agent ??= new Agent({
      allowH2: false,
      connections: CONNECTIONS_MAX,
      connectTimeout: this.#options.callTimeoutMs,
      maxResponseSize: BODY_BYTES_MAX,
    });
    const { body, headers, statusCode } = await request(url, {
      dispatcher: this.#agent,
      method: 'GET',
      headers: plainHeaders(requestHeaders),
      // The deadline of the REST object ends with the headers.
      signal: AbortSignal.timeout(this.#options.callTimeoutMs),
    });
    const bytes = await body.arrayBuffer();
    return new Response(bytes.byteLength === 0 ? null : bytes, {
      status: statusCode,
      headers: plainHeaders(headers),
    });
  }
}

/** Describes an error of the REST client. The error itself holds URLs and bodies, and is dropped. */
export function outcomeOf(error: unknown, refusedUrls: Set<string> = new Set()): CallOutcome {
  const { DiscordAPIError, HTTPError, RateLimitError } = discordRest();
  if (error instanceof RateLimitError) {
    const waitMs = Number.isFinite(error.retryAfter) ? Math.max(0, error.retryAfter - WAIT_MARGIN_MS) : 1_000;
    if (!refusedUrls.delete(error.url)) return { kind: 'held', waitMs };
    // A global limit is one of the token, whose REST object keeps it.
    return { kind: 'limited', waitMs, isGlobal: false, isShared: error.scope === 'shared' };
  }
  if (error instanceof DiscordAPIError) {
    // An answer without a number comes from a proxy in front of Discord's API.
    const code = typeof error.code === 'number' ? error.code : null;
    return { kind: 'refused', status: error.status, code, path: null };
  }
  if (error instanceof HTTPError) {
    return { kind: 'uncertain', isSlow: false, cause: refusedCall(error.status, null) };
  }
  const name = systemCode(error);
  const isSlow = name === 'TimeoutError' || name === 'AbortError' || /TIMEDOUT|_TIMEOUT$/.test(name);
  return { kind: 'uncertain', isSlow, cause: failedCall(name) };
}

/** The types of both libraries allow more than plain objects of strings. */
function plainHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
