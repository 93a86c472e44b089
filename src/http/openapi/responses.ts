import { Problem, sentenceOf, STATUSES, type ProblemCode } from '../../kernel/problem.ts';
import { problemBody, problemHeaders } from '../answer/problem-body.ts';
import { PROBLEM_TYPE } from '../answer/write-json.ts';
import type { ObjectSchema, Schema } from './json-schema.ts';
import { PROBLEM_CODES } from './problem-codes.ts';

const EXAMPLE_REQUEST_ID = '7f6f2c1e-0b8e-4d0a-9a53-0c2c6f4f9b11';
/** Problems that always say when to ask again. */
const RETRIED: ReadonlySet<ProblemCode> = new Set([
  'rate_limited',
  'token_attempts',
  'discord_rate_limited',
  'busy',
  'storage_unavailable',
  'discord_paused',
  'shutting_down',
]);

const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });
const LIMIT_HEADERS = { 'RateLimit-Policy': header('RateLimit-Policy'), RateLimit: header('RateLimit') };

export const HEADERS: Schema = {
  'X-Request-Id': {
    description: 'Id of this request, also in `request_id` of a failure.',
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Policy': {
    description: 'Quota `q` in a window of `w` seconds, per server, whatever the number of its keys.',
    schema: { type: 'string', examples: ['"guild";q=120;w=60'] },
  },
  RateLimit: {
    description: 'What is left, `r`, and the seconds until the quota is full again, `t`.',
    schema: { type: 'string', examples: ['"guild";r=119;t=60'] },
  },
  'Retry-After': {
    description: 'Seconds after which asking again makes sense.',
    schema: { type: 'integer', examples: [12] },
  },
  'WWW-Authenticate': { description: 'How to send a key.', schema: { type: 'string', const: 'Bearer' } },
  Allow: {
    description: 'What this URL takes.',
    schema: { type: 'string', examples: ['GET, HEAD, OPTIONS'] },
  },
  ETag: { description: 'For `If-None-Match`.', schema: { type: 'string' } },
};

export const PROBLEM_SCHEMA: ObjectSchema = {
  type: 'object',
  description: 'Every failure has these eight keys and no other.',
  properties: {
    ok: { type: 'boolean', const: false, description: 'Look at it first.' },
    status: { type: 'integer', description: 'The HTTP status, also where `always_200` hides it.' },
    code: { type: 'string', enum: PROBLEM_CODES, description: describeCodes() },
    error: { type: 'string', description: 'One sentence to show.' },
    field: { type: ['string', 'null'], description: 'The field that is wrong.' },
    hint: { type: ['string', 'null'], description: 'What to do about it.' },
    retry_after: { type: ['integer', 'null'], description: 'Whole seconds.' },
    request_id: { type: 'string', description: 'Identifies this call when you ask for help.' },
  },
  required: ['ok', 'status', 'code', 'error', 'field', 'hint', 'retry_after', 'request_id'],
};

function exampleOf(code: ProblemCode): Problem {
  return new Problem(code, RETRIED.has(code) ? { retryAfterSeconds: 12 } : {});
}

export const PROBLEM_EXAMPLE = problemBody(exampleOf('rate_limited'), EXAMPLE_REQUEST_ID);

/** The failures among `codes`, by status. */
export function problemResponses(codes: readonly ProblemCode[]): Schema {
  const byStatus = Object.groupBy(codes, (code) => String(STATUSES[code]));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [status, problemResponse(status, group)]),
  );
}

function problemResponse(status: string, codes: readonly ProblemCode[]): Schema {
  const names = new Set(codes.flatMap((code) => Object.keys(problemHeaders(exampleOf(code)))));
  names.delete('Connection');
  if (status === '405') names.add('Allow');
  return {
    description: codes.map((code) => `- \`${code}\`: ${sentenceOf(code).error}`).join('\n'),
    headers: {
      'X-Request-Id': header('X-Request-Id'),
      ...(status === '429' ? LIMIT_HEADERS : {}),
      ...Object.fromEntries([...names].map((name) => [name, header(name)])),
    },
    content: {
      [PROBLEM_TYPE]: {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: { problem: { $ref: '#/components/examples/Problem' } },
      },
    },
  };
}

/**
 * A success with `schema` and an example.
 * @param hasLimitHeaders true when it reports what is left of a quota
 */
export function successResponse(
  description: string,
  schema: Schema,
  example: object,
  extraHeaders: readonly string[] = [],
  hasLimitHeaders = true,
): Schema {
  return {
    description,
    headers: {
      'X-Request-Id': header('X-Request-Id'),
      ...(hasLimitHeaders ? LIMIT_HEADERS : {}),
      ...Object.fromEntries(extraHeaders.map((name) => [name, header(name)])),
    },
    content: { 'application/json': { schema, example } },
  };
}

function describeCodes(): string {
  const rows = PROBLEM_CODES.map((code) => `| ${STATUSES[code]} | \`${code}\` | ${sentenceOf(code).error} |`);
  return `Stable: decide by this.\n\n| status | code | |\n| --- | --- | --- |\n${rows.join('\n')}`;
}
