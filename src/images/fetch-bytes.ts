import { isUtf8 } from 'node:buffer';

import type { Dispatcher } from 'undici';

import { Problem, type ProblemTextKey } from '../kernel/problem.ts';
import { problemOfFailure, problemOfHead, type Headers } from './fetch-problem.ts';
import type { AddressRule } from './guard/address-rule.ts';
import { createGuardedConnector } from './guard/guarded-connector.ts';
import { parseImageUrl } from './guard/image-url.ts';
import type { ImageBytes } from './image-bytes.ts';
import type { ImageFetchLimits } from './image-fetch-limits.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Made once, because making an error captures a stack. */
const ENDED = new Error('The job ended.');

export interface FetchBytesOptions {
  readonly rule: AddressRule;
  readonly userAgent: string;
  readonly nameServers?: readonly string[];
  readonly limits: ImageFetchLimits;
}

/**
 * Fetches a URL. It follows redirects itself, to check each hop. Once it settles, it writes no more bytes.
 * @param signal ends all work immediately; its reason is a Problem
 * @throws Problem
 */
export async function fetchBytes(
  start: URL,
  bytes: ImageBytes,
  { rule, userAgent, nameServers, limits }: FetchBytesOptions,
  signal: AbortSignal,
): Promise<void> {
  // Loaded with the first image, because it takes a tenth of a start.
  const { Agent } = await import('undici');
  let broken: Error | null = null;
  // One agent per job, so that connections end with the job and callers do not share them. Without pipelining each
  // request sends Connection: close. Unlike fetch's global agent it ignores proxy variables.
  const agent = new Agent({
    connect: createGuardedConnector({
      rule,
      names: { timeoutMs: limits.nameTimeoutMs, ...(nameServers === undefined ? {} : { nameServers }) },
      connectTimeoutMs: limits.connectTimeoutMs,
      signal,
      onBroken: (error) => void (broken = error),
    }),
    connections: 1,
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: limits.headerBytesMax,
  });
  try {
    let url = start;
    for (let hops = 0; hops <= limits.redirectsMax; hops += 1) {
      const redirectTo = await requestImage(agent, url, bytes, userAgent, limits, signal);
      // When a body ends with the connection, undici takes a reset for the end of the body.
      if (broken !== null) throw broken;
      if (redirectTo === null) return;
      url = parseImageUrl(redirectTo, rule, url);
    }
    throw new Problem('image_fetch_failed/redirects');
  } catch (error) {
    throw problemOfFailure(error);
  } finally {
    await agent.destroy(ENDED);
  }
}

/**
 * One GET.
 * @param bytes takes the body
 * @returns the target of a redirect, or null when the body is complete
 * @throws Problem or an error of undici
 */
async function requestImage(
  dispatcher: Dispatcher,
  url: URL,
  bytes: ImageBytes,
  userAgent: string,
  limits: ImageFetchLimits,
  signal: AbortSignal,
): Promise<string | null> {
  const response = new ImageResponse(url, bytes, limits, signal);
  dispatcher.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        // Strict hosts answer 406 to `image/*` alone when they know no type for a file.
        accept: 'image/*, */*;q=0.5',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
      },
      // undici's own timeouts are rounded up by half a second and more, and start again with each provisional answer.
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    response,
  );
  return response.redirectTo;
}

/**
 * Reads one response. It is undici's handler and not one of its streams, so that the size is checked while the bytes
 * are parsed, without buffers in between. It never reads the body of a redirect.
 */
class ImageResponse implements Dispatcher.DispatchHandler {
  readonly #url: URL;
  readonly #bytes: ImageBytes;
  readonly #limits: ImageFetchLimits;
  readonly #signal: AbortSignal;
  readonly #result = Promise.withResolvers<string | null>();
  #pieces = 0;
  #provisionalAnswers = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: URL, bytes: ImageBytes, limits: ImageFetchLimits, signal: AbortSignal) {
    this.#url = url;
    this.#bytes = bytes;
    this.#limits = limits;
    this.#signal = signal;
    signal.addEventListener('abort', this.#leave, { once: true });
  }

  /** The target of a redirect, or null when the body is complete. */
  get redirectTo(): Promise<string | null> {
    return this.#result.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#expectWithin(this.#limits.headersTimeoutMs, 'image_timeout/headers');
    if (this.#signal.aborted) this.#leave();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) {
      this.#provisionalAnswers += 1;
      if (this.#provisionalAnswers <= this.#limits.provisionalAnswersMax) return;
      controller.abort(new Problem('image_fetch_failed/provisional'));
    } else if (REDIRECTS.has(status)) {
      const redirectTo = headers['location'];
      if (typeof redirectTo === 'string' && redirectTo !== '') this.#resolve(toUtf8(redirectTo));
      controller.abort(new Problem('image_fetch_failed/nowhere'));
    } else {
      const problem = problemOfHead(this.#url, status, headers, this.#limits);
      if (problem !== null) controller.abort(problem);
      else this.#expectWithin(this.#limits.idleTimeoutMs, 'image_timeout/stalled');
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    const { bytesMax, piecesMax } = this.#limits;
    this.#timer?.refresh();
    this.#pieces += 1;
    if (this.#bytes.length + piece.length > bytesMax) controller.abort(new Problem('image_too_large'));
    else if (this.#pieces > piecesMax) controller.abort(new Problem('image_fetch_failed/pieces'));
    else this.#bytes.append(piece);
  }

  onResponseEnd(): void {
    this.#resolve(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }

  /** Ends the wait in any state of the connection. */
  readonly #leave = (): void => {
    const reason = this.#signal.reason as Error;
    this.#controller?.abort(reason);
    this.#reject(reason);
  };

  #expectWithin(periodMs: number, key: ProblemTextKey): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller?.abort(new Problem(key)), periodMs);
  }

  #resolve(redirectTo: string | null): void {
    this.#stopWaiting();
    this.#result.resolve(redirectTo);
  }

  #reject(error: Error): void {
    this.#stopWaiting();
    this.#result.reject(error);
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#leave);
  }
}

/** Servers write URLs in UTF-8, and undici reads each byte of a header as a character. */
function toUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}
