import { setTimeout as delay } from 'node:timers/promises';

import type { REST, ResponseLike } from '@discordjs/rest';
import { Agent, request } from 'undici';

import { Problem } from '../../kernel/problem.ts';
import { WAIT_MARGIN_MS } from '../../upstream/named-limits.ts';
import {
  parseGuild,
  parseMembers,
  parseRoleCounts,
  type GuildFacts,
  type ListedMember,
  type RoleCounts,
} from '../discord-answers.ts';
import { discordProblem } from './discord-problem.ts';
import { discordRest } from './discord-rest.ts';
import type { TokenDirectorySettings } from './token-directory-options.ts';
import type { Lookup, TokenStanding } from './token-standing.ts';

export type Path = `/${string}`;
type Query = Readonly<Record<string, string>>;

/** The longest page that Discord gives. */
export const PAGE_LENGTH = 1_000;
/** The longest single wait for a rate limit. */
const WAIT_MS_MAX = 60_000;
/** After this many 429 in a row, the limit cannot be the one that Discord's headers describe. */
const REFUSALS_MAX = 5;
/** The most tokens whose rate limits are remembered at once. */
const TOKENS_MAX = 256;
/** The rate limits of a token are remembered this long after its last call. Discord's own do not last as long. */
const IDLE_MS = 60_000;
/** A REST object keeps a queue for every guild and channel it was used for, so it is replaced after this many. */
const QUEUES_MAX = 200;
/** A page of 1,000 members with 250 roles each has 6 MB. */
const BODY_BYTES_MAX = 16 * 2 ** 20;
const CONNECTIONS_MAX = 64;

/** A REST object that knows the rate limits of one token. It holds the token only while a call is under way. */
interface TokenRest {
  readonly rest: REST;
  /** Calls that Discord answered with 429. Any other call that was not made was held back by a known limit. */
  readonly refusedUrls: Set<string>;
  callsUnderWay: number;
  idleSince: number;
}

/**
 * Calls Discord. Before each call, it checks what is known about the token, and waits for rate limits. Afterwards it
 * records what the answer says about the token.
 *
 * All methods throw Problem `discord_…` or `unknown_…`, and `busy` when too many tokens are in use.
 */
export class DiscordCalls {
  readonly #settings: TokenDirectorySettings;
  readonly #standing: TokenStanding;
  readonly #closing: AbortSignal;
  readonly #agent: Agent;
  /** By digest of the token. The one used last is at the end. */
  readonly #rests = new Map<string, TokenRest>();

  /** @param closing ends all waiting for rate limits */
  constructor(settings: TokenDirectorySettings, standing: TokenStanding, closing: AbortSignal) {
    this.#settings = settings;
    this.#standing = standing;
    this.#closing = closing;
    this.#agent = new Agent({
      allowH2: false,
      connections: CONNECTIONS_MAX,
      connectTimeout: settings.callTimeoutMs,
      maxResponseSize: BODY_BYTES_MAX,
    });
  }

  async readGuild(lookup: Lookup): Promise<GuildFacts> {
    return parseGuild(await this.get(lookup, `/guilds/${lookup.guildId}`, { with_counts: 'true' }));
  }

  async readRoleCounts(lookup: Lookup): Promise<RoleCounts> {
    return parseRoleCounts(await this.get(lookup, `/guilds/${lookup.guildId}/roles/member-counts`));
  }

  /**
   * The page of members with the lowest ids above `after`, ascending.
   * @param after snowflake, or `0` from the start
   * @param limit length of the page
   */
  async readMembers(lookup: Lookup, after: string, limit = PAGE_LENGTH): Promise<ListedMember[]> {
    const query = { limit: String(limit), after };
    return parseMembers(await this.get(lookup, `/guilds/${lookup.guildId}/members`, query));
  }

  async get(lookup: Lookup, path: Path, query: Query = {}): Promise<unknown> {
    const tokenRest = this.#take(lookup);
    try {
      return await this.#call(lookup, tokenRest, path, query);
    } finally {
      this.#giveBack(lookup, tokenRest);
    }
  }

  /** Ends all calls. */
  async close(): Promise<void> {
    this.#rests.clear();
    await this.#agent.destroy();
  }

  async #call(lookup: Lookup, { rest, refusedUrls }: TokenRest, path: Path, query: Query): Promise<unknown> {
    for (let refusals = 0; ;) {
      this.#standing.check(lookup);
      try {
        const body = await rest.get(path, { query: new URLSearchParams(query) });
        this.#standing.noteWorked(lookup);
        return body;
      } catch (error) {
        if (!(error instanceof discordRest().RateLimitError)) {
          const problem = discordProblem(error, path);
          throw this.#standing.noteFailed(lookup, problem, path.startsWith('/guilds/'));
        }
        const isRefused = refusedUrls.delete(error.url);
        if (isRefused) {
          refusals += 1;
          this.#standing.noteInvalidAnswer(lookup);
        }
        const mayWait = lookup.waitsWhenRefused ? refusals <= REFUSALS_MAX : !isRefused;
        await this.#wait(error.retryAfter, mayWait);
      }
    }
  }

  /** @throws Problem `discord_rate_limited` when the wait is not allowed, or too long */
  async #wait(retryAfterMs: number, mayWait: boolean): Promise<void> {
    const ms = Number.isFinite(retryAfterMs) ? Math.max(0, retryAfterMs) : 1_000;
    if (!mayWait || ms > WAIT_MS_MAX) {
      const retryAfterSeconds = Math.max(0, ms - WAIT_MARGIN_MS) / 1_000;
      throw new Problem('discord_rate_limited', { retryAfterSeconds });
    }
    await delay(ms, undefined, { signal: this.#closing });
  }

  /** @throws Problem `busy` when calls with too many tokens are under way */
  #take({ digest, token }: Lookup): TokenRest {
    const idleBefore = this.#settings.now() - IDLE_MS;
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

  #giveBack({ digest }: Lookup, tokenRest: TokenRest): void {
    tokenRest.callsUnderWay -= 1;
    if (tokenRest.callsUnderWay > 0) return;
    tokenRest.rest.setToken('');
    tokenRest.refusedUrls.clear();
    tokenRest.idleSince = this.#settings.now();
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
      api: this.#settings.apiUrl,
      retries: 0,
      timeout: this.#settings.callTimeoutMs,
      offset: WAIT_MARGIN_MS,
      // We wait ourselves: our waits can be ended, and callers are not kept waiting for a limit they have exceeded.
      rejectOnRateLimit: () => true,
      // A REST object with a running sweeper is never freed.
      hashSweepInterval: 0,
      handlerSweepInterval: 0,
      makeRequest: async (url, { headers }) => {
        const answer = await this.#send(url, headers ?? {});
        if (answer.status === 429) refusedUrls.add(url);
        return answer;
      },
    });
    return { rest, refusedUrls, callsUnderWay: 0, idleSince: 0 };
  }

  async #send(url: string, requestHeaders: object): Promise<ResponseLike> {
    const {
      body,
      headers,
      statusCode: status,
    } = await request(url, {
      dispatcher: this.#agent,
      method: 'GET',
      headers: plainHeaders(requestHeaders),
      // The deadline of the REST object ends with the headers.
      signal: AbortSignal.timeout(this.#settings.callTimeoutMs),
    });
    if (status === 401 || status === 403 || status === 429) this.#standing.countInvalidAnswer(status);
    // Nobody reads these bodies, and an unread one keeps its connection.
    if (status === 429 || status >= 500) await body.dump();
    return {
      status,
      statusText: '',
      ok: status >= 200 && status < 300,
      headers: new Headers(plainHeaders(headers)),
      body,
      get bodyUsed() {
        return body.bodyUsed;
      },
      arrayBuffer: async () => body.arrayBuffer(),
      json: async () => body.json(),
      text: async () => body.text(),
    };
  }
}

/** The types of both libraries allow more than plain objects of strings. */
function plainHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
