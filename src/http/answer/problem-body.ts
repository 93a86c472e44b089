import type { Problem, ProblemCode } from '../../kernel/problem.ts';
import { maskSecrets } from '../../kernel/secrets.ts';

/**
 * All failures have exactly these eight keys. (It is a type, because an interface is not assignable where any object is
 * expected.)
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

// Logs and phones cannot show control characters, lone surrogates and line breaks well.
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
  // The sender is too slow, so the connection closes immediately. (After a body that is too large, it stays open for a
  // moment, because a reset would lose the answer.)
  if (problem.status === 408) headers['Connection'] = 'close';
  return headers;
}
