import type { ProblemCode, ProblemDetail } from '../../problem.ts';

/** Codes that only callers over HTTP can get. */
type HttpOnlyCode =
  | 'invalid_json'
  | 'secret_in_url'
  | 'token_malformed'
  | `key_${'missing' | 'malformed' | 'unknown' | 'expired' | 'revoked' | 'suspended'}`
  | 'guild_mismatch'
  | 'operation_not_allowed'
  | 'caller_tokens_disabled'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'expectation_failed'
  | 'headers_too_large';

/** Problems that a user of Discord can meet. Each needs a text. */
export type RequiredProblem = Exclude<ProblemCode, HttpOnlyCode> | ProblemDetail['kind'];
