import { createRequire } from 'node:module';

import type * as DiscordRest from '@discordjs/rest';
import { Agent, request } from 'undici';

import { Problem } from '../../problem.ts';

const require = createRequire(import.meta.url);

/**
 * The REST client of discord.js, for callers' tokens. It brings its own undici, more than 10 MiB in every process, so
 * it is loaded with the first token. It is loaded with `require` like discord.js does, so that both share one copy.
 */
export function discordRest(): typeof DiscordRest {
  return require('@discordjs/rest') as typeof DiscordRest;
}

export interface RestPoolOptions {
  /** Discord's address without the version. */
  readonly apiUrl: string;
  /** Milliseconds for one call, its body included. */
  readonly timeoutMs: number;
  /** Called for each 401, 403 and 429. */
  readonly onInvalidAnswer: (status: 401 | 403 | 429) => void;
  readonly now: () => number;
}

/** The use of a REST object for one lookup. */
export interface RestLoan {
  readonly rest: DiscordRest.REST;
  /**
   * True when Discord itself refused the call to this URL with 429; false when the known limit kept us from sending it.
   */
  wasRefused(url: string): boolean;
  /** Ends the use. A second call does nothing. */
  release(): void;
}

interface PooledRest {
  readonly rest: DiscordRest.REST;
  readonly refusedUrls: Set<string>;
  users: number;
  idleSince: number;
}

/** Tokens whose rate limits are known at once. */
const TOKENS_MAX = 256;
/** The rate limits of a token are remembered this long after its last use, longer than Discord's. */
const IDLE_MS = 60_000;
/** A page of 1,000 members with 250 roles each has 6 MB. */
const BODY_BYTES_MAX = 16 * 2 ** 20;
const CONNECTIONS_MAX = 64;
/** @discordjs/rest adds this to each wait that Discord names, so that a call does not arrive a moment too early. */
export const WAIT_MARGIN_MS = 50;
/** A REST object keeps a queue for every guild it was used for, so it is replaced after this many. */
const QUEUES_MAX = 200;

/**
 * One REST object per token, so that the rate limits of each token are known. An idle one keeps the limits, but not the
 * token.
 */
export class RestPool {
  readonly #pooled = new Map<string, PooledRest>();
  readonly #agent: Agent;
  readonly #apiUrl: string;
  readonly #timeoutMs: number;
  readonly #onInvalidAnswer: (status: 401 | 403 | 429) => void;
  readonly #now: () => number;

  constructor({ apiUrl, timeoutMs, onInvalidAnswer, now }: RestPoolOptions) {
    this.#apiUrl = apiUrl;
    this.#timeoutMs = timeoutMs;
    this.#onInvalidAnswer = onInvalidAnswer;
    this.#now = now;
    this.#agent = new Agent({
      allowH2: false,
      connections: CONNECTIONS_MAX,
      connectTimeout: timeoutMs,
      maxResponseSize: BODY_BYTES_MAX,
    });
  }

  /**
   * @param digest see TokenDigest
   * @throws Problem `busy` when all places are in use
   */
  borrow(digest: string, token: string): RestLoan {
    this.#dropIdle();
    const pooled = this.#pooled.get(digest) ?? this.#create();
    // Moves it to the end, so that the one that is idle longest comes first.
    this.#pooled.delete(digest);
    this.#pooled.set(digest, pooled);
    pooled.users += 1;
    pooled.rest.setToken(token);
    let released = false;
    return {
      rest: pooled.rest,
      wasRefused: (url) => pooled.refusedUrls.delete(url),
      release: () => {
        if (released) return;
        released = true;
        this.#giveBack(digest, pooled);
      },
    };
  }

  /** Ends all calls. */
  async close(): Promise<void> {
    this.#pooled.clear();
    await this.#agent.destroy();
  }

  #giveBack(digest: string, pooled: PooledRest): void {
    pooled.users -= 1;
    if (pooled.users > 0) return;
    pooled.rest.setToken('');
    pooled.refusedUrls.clear();
    pooled.idleSince = this.#now();
    if (pooled.rest.handlers.size > QUEUES_MAX) this.#pooled.delete(digest);
  }

  #dropIdle(): void {
    const idleBefore = this.#now() - IDLE_MS;
    for (const [digest, pooled] of this.#pooled) {
      if (pooled.users === 0 && pooled.idleSince <= idleBefore) this.#pooled.delete(digest);
    }
  }

  #create(): PooledRest {
    if (this.#pooled.size >= TOKENS_MAX) {
      const idle = this.#pooled.entries().find(([, pooled]) => pooled.users === 0);
      if (idle === undefined) throw new Problem('busy', { retryAfterSeconds: 5 });
      this.#pooled.delete(idle[0]);
    }
    const refusedUrls = new Set<string>();
    const { REST: Rest } = discordRest();
    const rest = new Rest({
      api: this.#apiUrl,
      retries: 0,
      timeout: this.#timeoutMs,
      offset: WAIT_MARGIN_MS,
      // The lookup waits itself: it can be ended, and knows how long its caller waits.
      rejectOnRateLimit: () => true,
      // A REST object with a running sweeper is never freed.
      hashSweepInterval: 0,
      handlerSweepInterval: 0,
      makeRequest: async (url, init) => {
        const answer = await request(url, {
          dispatcher: this.#agent,
          method: 'GET',
          headers: plainHeaders(init.headers ?? {}),
          // The deadline of the REST object ends with the headers.
          signal: AbortSignal.timeout(this.#timeoutMs),
        });
        const { body, statusCode: status } = answer;
        if (status === 429) refusedUrls.add(url);
        if (status === 401 || status === 403 || status === 429) this.#onInvalidAnswer(status);
        // Nobody reads these bodies, and an unread one keeps its connection.
        if (status === 429 || status >= 500) await body.dump();
        const headers = new Headers();
        for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
        return {
          status,
          statusText: '',
          ok: status >= 200 && status < 300,
          headers,
          body,
          get bodyUsed() {
            return body.bodyUsed;
          },
          arrayBuffer: async () => body.arrayBuffer(),
          json: async () => body.json(),
          text: async () => body.text(),
        };
      },
    });
    return { rest, refusedUrls, users: 0, idleSince: 0 };
  }
}

/** REST builds its headers as a plain object; the types of its own undici allow more. */
function plainHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
