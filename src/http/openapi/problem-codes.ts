import type { Operation } from '../../operations/operation.ts';
import { PROBLEMS, type ProblemCode } from '../../problem.ts';

/** What every call with a key can end in. */
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

/** What belongs to one operation alone, by its name. */
const OWN: Readonly<Record<string, readonly ProblemCode[]>> = {
  'parse-args': ['text_too_long'],
  'permission-encoder': ['unknown_permission'],
  'text-splitter': ['text_too_long', 'too_many_chunks', 'limit_too_small'],
  'image-to-base64': [
    'image_url_invalid',
    'image_address_not_allowed',
    'image_not_an_image',
    'image_svg_refused',
    'image_too_large',
    'image_too_many_pixels',
    'image_fetch_failed',
    'image_timeout',
  ],
  'role-members': [
    'token_malformed',
    'guild_mismatch',
    'caller_tokens_disabled',
    'discord_token_rejected',
    'discord_missing_access',
    'unknown_guild',
    'unknown_role',
    'token_attempts',
    'discord_rate_limited',
    'discord_unavailable',
    'member_list_unavailable',
    'discord_paused',
    'discord_timeout',
  ],
};

/** What an operation can answer by that method, in the order of the table of problems. */
export function problemCodesOf(
  operation: Operation | null,
  method: 'GET' | 'POST' | 'DELETE',
): ProblemCode[] {
  const codes = new Set<ProblemCode>(EVERYWHERE);
  if (operation !== null) {
    codes.add('operation_not_allowed');
    if (Object.keys(operation.input.shape).length > 0) WITH_FIELDS.forEach((code) => codes.add(code));
    OWN[operation.name]?.forEach((code) => codes.add(code));
  }
  if (method === 'POST') WITH_BODY.forEach((code) => codes.add(code));
  return PROBLEM_CODES.filter((code) => codes.has(code));
}

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];
