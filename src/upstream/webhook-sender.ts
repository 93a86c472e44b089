import { APIVersion } from 'discord-api-types/v10';
import type { Agent, Dispatcher } from 'undici';

import type { CallOutcome } from './call-outcome.ts';
import { failedCall, refusedCall, systemCode } from './failed-call.ts';

/** The token is a secret: it is all that posting needs. */
export interface Webhook {
  readonly id: string;
  readonly token: string;
}

export interface WebhookSenderOptions {
  /** Discord's URL without the version. */
  readonly apiUrl: string;
  readonly userAgent: () => string;
  readonly connectTimeoutMs: number;
}

interface PostOptions {
  /** On the clock of `performance.now()`. No message is sent later. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
}

/** A message with embeds is far below that. */
const BODY_BYTES_MAX = 2 * 2 ** 20;
/** Idle connections are closed before Discord closes them: a message sent on a closing one would be uncertain. */
const KEEP_ALIVE_MS = 4_000;
/** More than there are running deliveries, so that none waits for a connection. */
const CONNECTIONS_MAX = 64;

/**
 * Makes calls to webhooks, without retries. Neither errors nor outcomes hold a URL. undici is loaded with the
 * first call, because it is a tenth of a start.
 */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  #agent: Agent | null = null;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  describe(webhook: Webhook, signal: AbortSignal): Promise<CallOutcome> {
    return this.#call('GET', webhook, '', null, signal);
  }

  /** @param query without a question mark @param json the message */
  post(webhook: Webhook, query: string, json: string, { endsAt, signal }: PostOptions): Promise<CallOutcome> {
    return this.#call('POST', webhook, `?${query}`, json, signal, notAfter(endsAt));
  }

  async close(): Promise<void> {
    await this.#agent?.destroy();
  }

  async #call(
    method: 'GET' | 'POST',
    { id, token }: Webhook,
    search: string,
    json: string | null,
    signal: AbortSignal,
    ...interceptors: Dispatcher.DispatcherComposeInterceptor[]
  ): Promise<CallOutcome> {
    const { apiUrl, userAgent, connectTimeoutMs } = this.#options;
    const { Agent, request } = await import('undici');
    this.#agent ??= new Agent({
      allowH2: false,
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      connectTimeout: connectTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxResponseSize: BODY_BYTES_MAX,
    });
    try {
      const answer = await request(`${apiUrl}/v${APIVersion}/webhooks/${id}/${token}${search}`, {
        dispatcher: this.#agent.compose(interceptors),
        method,
        body: json,
        headers: {
          'user-agent': userAgent(),
          accept: 'application/json',
          ...(json === null ? {} : { 'content-type': 'application/json' }),
        },
        signal,
      });
      const body: unknown = await answer.body.json().catch(() => null);
      return readAnswer(answer.statusCode, answer.headers, isObject(body) ? body : null);
    } catch (error) {
      if (error instanceof TooLate) return { kind: 'out_of_time' };
      const name = systemCode(error);
      const cause = failedCall(name);
      if (wasNotConnected(error, name)) return { kind: 'unreached', cause };
      return { kind: 'uncertain', isSlow: signal.aborted || /TIMEOUT/.test(name), cause };
    }
  }
}

class TooLate extends Error {}

/**
 * Checks the deadline right before the first byte is written, because this process may have been paused since the
 * call began.
 */
function notAfter(endsAt: number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    // Change the handler of this call, because a wrapper would have to pass on every piece of the answer.
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      if (performance.now() >= endsAt) throw new TooLate();
      start?.(controller, context);
    };
    return dispatch(options, handler);
  };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;
type Body = Readonly<Record<string, unknown>> | null;

function readAnswer(status: number, headers: Headers, body: Body): CallOutcome {
  if (status >= 200 && status < 300 && body !== null) {
    const isLast = headers['x-ratelimit-remaining'] === '0';
    return { kind: 'done', body, resetMs: isLast ? toMs(headers['x-ratelimit-reset-after']) : null };
  }
  if (status === 429) {
    const scope = headers['x-ratelimit-scope'];
    return {
      kind: 'limited',
      waitMs: toMs(body?.['retry_after']) ?? toMs(headers['retry-after']),
      isGlobal: body?.['global'] === true || scope === 'global',
      isShared: scope === 'shared',
    };
  }
  const code = body?.['code'];
  if (status < 400 || status >= 500) {
    return { kind: 'uncertain', isSlow: false, cause: refusedCall(status, code) };
  }
  // Without a code it comes from the firewall in front of Discord, which has not passed the call on.
  return {
    kind: 'refused',
    status,
    code: typeof code === 'number' ? code : null,
    path: firstPath(body?.['errors']),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Seconds, as a number or as text. */
function toMs(seconds: unknown): number | null {
  const value = typeof seconds === 'string' && seconds !== '' ? Number(seconds) : seconds;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.ceil(value * 1_000) : null;
}

/** More than any message has. */
const LEVELS_MAX = 32;

/** Keeps only names and numbers, because anything else in an answer may repeat a secret. */
function firstPath(errors: unknown): string | null {
  let path = '';
  let inside = errors;
  for (let level = 0; level < LEVELS_MAX && isObject(inside); level += 1) {
    const [key] = Object.keys(inside);
    if (key === undefined || !/^(?:[a-z][a-z_]{0,39}|\d{1,3})$/.test(key)) break;
    const name = path === '' ? key : `.${key}`;
    path += /^\d/.test(key) ? `[${key}]` : name;
    inside = inside[key];
  }
  return path === '' ? null : path;
}

/** Failures to connect, or to look the name up. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

function wasNotConnected(error: unknown, name: string): boolean {
  const isConnect = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return isConnect || NOT_CONNECTED.test(name);
}
