import { isUtf8 } from 'node:buffer';

import type { Dispatcher } from 'undici';

import { Problem, type ProblemTextKey } from '../kernel/problem.ts';
import { problemOfFailure, problemOfHead } from './fetch-problem.ts';
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
 * One GET. It uses undici's handler and not its streams, so that the size is checked while the bytes are parsed,
 * without buffers in between. It never reads the body of a redirect.
 * @param bytes takes the body
 * @returns the target of a redirect, or null when the body is complete
 * @throws Problem or an error of undici
 */
function requestImage(
  dispatcher: Dispatcher,
  url: URL,
  bytes: ImageBytes,
  userAgent: string,
  limits: ImageFetchLimits,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let pieces = 0;
    let provisionalAnswers = 0;
    let controller: Dispatcher.DispatchController | undefined;
    let timer: NodeJS.Timeout | undefined;

    const abort = (reason: Error) => controller?.abort(reason);
    // Always end the wait on an abort, in any state of the connection.
    const onAbort = () => {
      abort(signal.reason as Error);
      settle(() => reject(signal.reason as Error));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const expectWithin = (periodMs: number, key: ProblemTextKey) => {
      clearTimeout(timer);
      timer = setTimeout(() => abort(new Problem(key)), periodMs);
    };
    const settle = (action: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      action();
    };

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
      {
        onRequestStart(started) {
          controller = started;
          expectWithin(limits.headersTimeoutMs, 'image_timeout/headers');
          if (signal.aborted) onAbort();
        },
        onResponseStart(responding, status, headers) {
          if (status < 200) {
            provisionalAnswers += 1;
            if (provisionalAnswers > limits.provisionalAnswersMax) {
              responding.abort(new Problem('image_fetch_failed/provisional'));
            }
            return;
          }
          if (REDIRECTS.has(status)) {
            const redirectTo = headers['location'];
            if (typeof redirectTo === 'string' && redirectTo !== '') {
              settle(() => resolve(toUtf8(redirectTo)));
            }
            responding.abort(new Problem('image_fetch_failed/nowhere'));
            return;
          }
          const problem = problemOfHead(url, status, headers, limits);
          if (problem !== null) responding.abort(problem);
          else expectWithin(limits.idleTimeoutMs, 'image_timeout/stalled');
        },
        onResponseData(responding, piece) {
          timer?.refresh();
          pieces += 1;
          if (bytes.length + piece.length > limits.bytesMax) responding.abort(new Problem('image_too_large'));
          else if (pieces > limits.piecesMax) responding.abort(new Problem('image_fetch_failed/pieces'));
          else bytes.append(piece);
        },
        onResponseEnd() {
          settle(() => resolve(null));
        },
        onResponseError(_responding, error) {
          settle(() => reject(error));
        },
      },
    );
  });
}

/** Servers write URLs in UTF-8, and undici reads each byte of a header as a character. */
function toUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}
