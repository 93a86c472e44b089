import { isCompressed } from '../kernel/content-coding.ts';
import { errorCodeOf } from '../kernel/error-code.ts';
import { Problem, type ProblemTextKey } from '../kernel/problem.ts';
import type { ImageFetchLimits } from './image-fetch-limits.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const DISCORD_HOSTS = new Set(['cdn.discordapp.com', 'media.discordapp.net']);

/** Statuses with which hosts refuse programs, but not browsers. */
const REFUSALS = new Set([401, 403, 429]);

/**
 * {@link https://nodejs.org/docs/latest-v24.x/api/tls.html#x509-certificate-error-codes}, and the check of the name.
 */
const CERTIFICATE_CODE =
  /^(?!ERR_SSL_).*(?:CERT|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH)/;
/** OpenSSL's codes for text where it expects TLS. */
const NO_TLS_CODES = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
]);

/** Returns the problem of an answer before its body arrives, or null. */
export function problemOfHead(
  url: URL,
  status: number,
  headers: Headers,
  limits: ImageFetchLimits,
): Problem | null {
  if (status !== 200 && !(status === 206 && isWhole(headers['content-range']))) {
    return problemOfStatus(url, status);
  }
  // Refuse any other transfer coding. It would be read as chunks or as the whole body, and its result as the file.
  const transfer = headers['transfer-encoding'] ?? 'chunked';
  const isChunked = typeof transfer === 'string' && transfer.toLowerCase() === 'chunked';
  if (!isChunked || isCompressed(headers['content-encoding'])) {
    return new Problem('image_fetch_failed/compressed');
  }
  if (Number(headers['content-length']) > limits.bytesMax) return new Problem('image_too_large');
  return null;
}

/** True when an unrequested partial response contains the whole file. Some storage services send these. */
function isWhole(range: string | string[] | undefined): boolean {
  const [, last, total] = /^bytes 0-(\d{1,15})\/(\d{1,15})$/.exec(String(range)) ?? [];
  return last !== undefined && Number(last) + 1 === Number(total);
}

function problemOfStatus(url: URL, status: number): Problem {
  if (status === 415 && DISCORD_HOSTS.has(url.hostname) && url.pathname.endsWith('.gif')) {
    return new Problem('image_fetch_failed/no_gif');
  }
  if (url.search.includes('&amp;')) return new Problem('image_fetch_failed/escaped', { values: { status } });
  const key = REFUSALS.has(status) ? 'image_fetch_failed/refused' : 'image_fetch_failed/status';
  return new Problem(key, { values: { status } });
}

/** @param error anything that was thrown while an image was fetched */
export function problemOfFailure(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const cause = new Error(`The image was not fetched: ${describeFailure(error)}`);
  const codes = codesOf(error);
  if (codes.some((code) => code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')) {
    return new Problem('image_timeout', { cause });
  }
  return new Problem(keyFor(codes), { cause });
}

function keyFor(codes: readonly string[]): ProblemTextKey {
  if (codes.some((code) => CERTIFICATE_CODE.test(code))) return 'image_fetch_failed/certificate';
  if (codes.some((code) => NO_TLS_CODES.has(code))) return 'image_fetch_failed/no_https';
  return codes.includes('ECONNREFUSED') ? 'image_fetch_failed/host_down' : 'image_fetch_failed';
}

/** The codes of an error, and of its parts if several IP addresses were tried. */
function codesOf(error: unknown): string[] {
  const parts = error instanceof AggregateError ? [error, ...error.errors] : [error];
  return parts.flatMap((part: unknown) => errorCodeOf(part) ?? []);
}

/** Codes only. Messages of Node and undici name hosts and addresses, which must not be logged. */
function describeFailure(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = errorCodeOf(error) ?? error.name;
  const deeper = error.cause !== undefined && depth < 3;
  return deeper ? `${code}, because of ${describeFailure(error.cause, depth + 1)}` : code;
}
