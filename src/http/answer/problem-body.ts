import type { Problem, ProblemCode } from '../../kernel/problem.ts';
import { maskSecrets } from '../../kernel/secrets.ts';

/**
 * The one shape of every failure: always these eight keys. (A type, because an interface does not fit where any object
 * may go.)
 */
type ProblemBody = {
  readonly ok: false;
  readonly status: number;
  readonly code: ProblemCode;
  readonly error: string;
  readonly field: string | null;
  readonly hint: string | null;
  /** Whole seconds. */
  readonly retry_after: number | null;
  readonly request_id: string;
};

// Control characters, lone surrogates and line breaks do not belong in a sentence that ends up in a log or on a phone.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu;

function toPrintable(text: string): string {
  return maskSecrets(text.replace(UNPRINTABLE, ' '));
}

/** @param hint replaces the problem's own hint for callers over HTTP */
export function problemBody(problem: Problem, requestId: string, hint = problem.hint): ProblemBody {
  return {
    ok: false,
    status: problem.status,
    code: problem.code,
    error: toPrintable(problem.message),
    field: problem.field === null ? null : toPrintable(problem.field),
    hint: hint === null ? null : toPrintable(hint),
    retry_after: problem.retryAfterSeconds,
    request_id: requestId,
  };
}

/** Headers that a problem adds to those of every answer. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = {};
  if (problem.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (problem.retryAfterSeconds !== null && (problem.status === 429 || problem.status === 503)) {
    headers['Retry-After'] = String(problem.retryAfterSeconds);
  }
  // The sender is too slow to wait for any longer. (A body that is too large is still read for a moment: closing at
  // once would reset the connection before the answer is read.)
  if (problem.status === 408) headers['Connection'] = 'close';
  return headers;
}
