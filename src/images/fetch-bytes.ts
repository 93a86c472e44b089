import { Problem } from '../problem.ts';
import { Agent } from '../undici.ts';
import type { AddressRule } from './address-rule.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import type { ImageBytes } from './image-bytes.ts';
import type { ImageFetchLimits } from './image-fetch-limits.ts';
import { parseImageUrl } from './image-url.ts';
import { requestImage } from './request-image.ts';

/** Made once, because each new error captures a stack. */
const ENDED = new Error('The job ended.');

export interface FetchBytesOptions {
  readonly rule: AddressRule;
  readonly userAgent: string;
  readonly nameServers?: readonly string[];
  readonly limits: ImageFetchLimits;
}

/**
 * Fetches an address. It follows redirects itself, so that each hop is judged. Once this is settled, nothing more is
 * written.
 * @param signal ends everything at once; its reason is a Problem
 * @throws Problem
 */
export async function fetchBytes(
  start: URL,
  bytes: ImageBytes,
  { rule, userAgent, nameServers, limits }: FetchBytesOptions,
  signal: AbortSignal,
): Promise<void> {
  let broken: Error | null = null;
  // One agent per job: no connection outlives it or is shared between callers. Without pipelining each request says
  // Connection: close. Unlike fetch's global agent it does not read proxy variables.
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
      // If a body would end with the connection, undici takes it for complete when the connection is reset.
      if (broken !== null) throw broken;
      if (redirectTo === null) return;
      url = parseImageUrl(redirectTo, rule, url);
    }
    throw new Problem('image_fetch_failed', { error: 'The image redirects too often.' });
  } catch (error) {
    throw problemOf(error);
  } finally {
    await agent.destroy(ENDED);
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const isTimeout =
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ETIMEDOUT' || error.code === 'UND_ERR_CONNECT_TIMEOUT');
  return new Problem(isTimeout ? 'image_timeout' : 'image_fetch_failed', {
    cause: new Error(`The image was not fetched: ${describeFailure(error)}`),
  });
}

/** Codes only: the messages of Node and undici name hosts and addresses, which must not be in a log. */
function describeFailure(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const deeper = error.cause !== undefined && depth < 3;
  return deeper ? `${code}, because of ${describeFailure(error.cause, depth + 1)}` : code;
}
