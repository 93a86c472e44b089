import type { Operation } from '../../operations/operation.ts';
import { STATUSES, type ProblemCode } from '../../kernel/problem.ts';

/** Every call with a key can fail with these. */
const EVERYWHERE = [
  'bad_request',
  'invalid_field',
  'secret_in_url',
  'key_missing',
  'key_malformed',
  'key_unknown',
  'key_expired',
  'key_revoked',
  'key_suspended',
  'method_not_allowed',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal',
  'busy',
  'storage_unavailable',
] as const satisfies ProblemCode[];

const WITH_FIELDS = ['missing_field', 'unresolved_placeholder'] as const satisfies ProblemCode[];

const WITH_BODY = [
  'invalid_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies ProblemCode[];

/**
 * Lists them in the order of the table of problems.
 * @param operation null for a path that needs a key but belongs to no operation
 */
export function problemCodesOf(
  operation: Operation | null,
  method: 'GET' | 'POST' | 'DELETE',
): ProblemCode[] {
  const codes = new Set<ProblemCode>(EVERYWHERE);
  if (operation !== null) {
    codes.add('operation_not_allowed');
    if (Object.keys(operation.input.shape).length > 0) WITH_FIELDS.forEach((code) => codes.add(code));
    operation.problems.forEach((code) => codes.add(code));
  }
  if (method === 'POST') WITH_BODY.forEach((code) => codes.add(code));
  return PROBLEM_CODES.filter((code) => codes.has(code));
}

export const PROBLEM_CODES = Object.keys(STATUSES) as ProblemCode[];
