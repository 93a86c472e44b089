import { Gate } from './progress.ts';
import type { RestAnswer, RouteName } from './rest-route.ts';

/** Takes the place of an answer. */
export type Fault =
  | { readonly kind: 'answer'; readonly answer: RestAnswer }
  | { readonly kind: 'text'; readonly status: number; readonly contentType: string; readonly text: string }
  | { readonly kind: 'drop' }
  | { readonly kind: 'lose answer' }
  | { readonly kind: 'hold'; readonly gate: Gate<RestCall> };

/** A call as it came in. */
export interface RestCall {
  readonly method: string;
  /** Null when there is no such route. */
  readonly route: RouteName | null;
  /** Decoded, without `/api/v10` and without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The whole Authorization header; null when none was sent. */
  readonly authorization: string | null;
  readonly body: unknown;
  /** For the audit log; null without one. */
  readonly reason: string | null;
  readonly at: number;
  /** Null until it is answered; 0 when the connection was dropped. */
  status: number | null;
}

type Where = RouteName | '*';

/** Which of the next calls go wrong, and how. `times` may be Infinity: then until `clear`. */
export class RestFaults {
  readonly #planned: { where: Where; fault: Fault; times: number }[] = [];

  #choose: { readonly where: Where; readonly pick: () => Fault | null } | null = null;

  /** Asks before each call of a route, if nothing else is planned for it, what goes wrong; until `clear`. */
  choose(where: Where, pick: () => Fault | null): void {
    this.#choose = { where, pick };
  }

  /** The next calls of a route ('*' for any) fail with this status. `body` is Discord's usual one when left out. */
  fail(
    where: Where,
    status: number,
    options: { times?: number; code?: number; message?: string } = {},
  ): void {
    const body = { message: options.message ?? `${status}: Simulated`, code: options.code ?? 0 };
    this.#plan(where, { kind: 'answer', answer: { status, body } }, options.times);
  }

  /** The next calls are answered with 429. */
  rateLimit(
    where: Where,
    retryAfterSeconds: number,
    options: { times?: number; scope?: 'user' | 'shared' | 'global' } = {},
  ): void {
    const scope = options.scope ?? 'user';
    this.#plan(where, { kind: 'answer', answer: rateLimited(retryAfterSeconds, scope) }, options.times);
  }

  /** The next calls are answered with something other than Discord's JSON, such as a page of a proxy. */
  garble(
    where: Where,
    options: { times?: number; status?: number; contentType?: string; text?: string } = {},
  ): void {
    const { status = 200, contentType = 'application/json', text = '<html><body>Bad gateway' } = options;
    this.#plan(where, { kind: 'text', status, contentType, text }, options.times);
  }

  /** The connection of the next calls is cut without an answer. */
  drop(where: Where, options: { times?: number } = {}): void {
    this.#plan(where, { kind: 'drop' }, options.times);
  }

  /** The next calls have their effect, and the connection is cut before the answer. */
  loseAnswer(where: Where, options: { times?: number } = {}): void {
    this.#plan(where, { kind: 'lose answer' }, options.times);
  }

  /** The next calls wait until the gate is released and are answered then. */
  hold(where: Where, options: { times?: number } = {}): Gate<RestCall> {
    const gate = new Gate<RestCall>();
    this.#plan(where, { kind: 'hold', gate }, options.times);
    return gate;
  }

  /** Cancels everything that has not happened yet. */
  clear(): void {
    this.#planned.length = 0;
    this.#choose = null;
  }

  take(route: RouteName | null): Fault | null {
    const index = this.#planned.findIndex(({ where }) => where === '*' || where === route);
    const planned = this.#planned[index];
    if (!planned) {
      const isChosen = this.#choose?.where === '*' || this.#choose?.where === route;
      return isChosen ? (this.#choose?.pick() ?? null) : null;
    }
    planned.times -= 1;
    if (planned.times === 0) this.#planned.splice(index, 1);
    return planned.fault;
  }

  #plan(where: Where, fault: Fault, times = 1): void {
    this.#planned.push({ where, fault, times });
  }
}

/** https://docs.discord.com/developers/topics/rate-limits#exceeding-a-rate-limit */
export function rateLimited(
  retryAfterSeconds: number,
  scope: 'user' | 'shared' | 'global',
  headers: Readonly<Record<string, string>> = {},
): RestAnswer {
  const global = scope === 'global';
  return {
    status: 429,
    body: { message: 'You are being rate limited.', retry_after: retryAfterSeconds, global },
    headers: {
      ...headers,
      'Retry-After': String(Math.ceil(retryAfterSeconds)),
      'X-RateLimit-Scope': scope,
      'X-RateLimit-Reset-After': String(retryAfterSeconds),
      ...(global ? { 'X-RateLimit-Global': 'true' } : {}),
    },
  };
}
