import type { ProblemCode } from '../../kernel/problem.ts';
import { VERSION } from '../../kernel/version.ts';
import { LIVE, READY } from '../endpoints/health.ts';
import { KEY } from '../endpoints/key.ts';
import type { Schema } from './json-schema.ts';
import { problemCodesOf } from './problem-codes.ts';
import { problemResponses, successResponse } from './responses.ts';

// Paths that belong to no operation.

/** Any request can fail with these before its path is read. */
const ANYWHERE = [
  'bad_request',
  'secret_in_url',
  'expectation_failed',
  'headers_too_large',
] as const satisfies ProblemCode[];
const READY_CODES = [...ANYWHERE, 'storage_unavailable', 'shutting_down'] as const satisfies ProblemCode[];
const OF_KEY = {
  tags: ['key'],
  parameters: ['flat', 'always_200'].map((name) => ({ $ref: `#/components/parameters/${name}` })),
};
const OF_HEALTH = { tags: ['health'], security: [] };

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const count: Schema = { type: 'integer' };
const always = (value: unknown): Schema => ({ type: typeof value, const: value });

function answerWith(
  properties: Readonly<Record<string, Schema>>,
  required = Object.keys(properties),
): Schema {
  return { type: 'object', properties: { ok: always(true), ...properties }, required: ['ok', ...required] };
}

export const OTHER_SCHEMAS: Schema = {
  KeyAnswer: answerWith({
    key_id: { type: 'string', description: 'Public.' },
    name: text,
    guild_id: { type: ['string', 'null'], description: 'Server of the key; null when it is of no server.' },
    created_at: { type: 'integer', description: 'When it was made, in Unix seconds.' },
    expires_at: {
      type: ['integer', 'null'],
      description: 'When it expires, in Unix seconds; null means never.',
    },
    flat: { ...flag, description: 'Default of `flat` for this key.' },
    always_200: { ...flag, description: 'Default of `always_200` for this key.' },
    operations: {
      type: ['array', 'null'],
      items: text,
      description: 'Names of the operations that the key may call; null means all of them.',
    },
    requests_per_minute: count,
    images_per_minute: count,
    sends_per_minute: count,
  }),
  RevokeKeyAnswer: answerWith({ key_id: text, revoked: always(true) }),
  LiveAnswer: answerWith({ status: always('live') }),
  ReadyAnswer: answerWith(
    {
      status: always('ready'),
      version: text,
      storage: text,
      discord: { type: 'object', description: 'Whether the gateway is connected, and why not.' },
    },
    ['status'],
  ),
};

function success(description: string, schema: string, example: object, hasLimitHeaders = false): Schema {
  const ref = { $ref: `#/components/schemas/${schema}` };
  return { '200': successResponse(description, ref, { ok: true, ...example }, [], hasLimitHeaders) };
}

const KEY_EXAMPLE = {
  key_id: '9gR3k',
  name: 'my bot',
  guild_id: '876543210987654321',
  created_at: 1_767_225_600,
  expires_at: null,
  flat: false,
  always_200: false,
  operations: null,
  requests_per_minute: 120,
  images_per_minute: 20,
  sends_per_minute: 10,
};
const READY_EXAMPLE = {
  status: 'ready',
  version: VERSION,
  storage: 'ok',
  discord: { connected: false, reason: 'off' },
};

/** By path and method. */
export const OTHER_PATHS = {
  [KEY.path]: {
    get: {
      operationId: 'key',
      ...OF_KEY,
      summary: 'What your key is: a first call that changes nothing',
      description: 'Name, server, expiry and quota of the key that you send.',
      responses: {
        ...success('Done.', 'KeyAnswer', KEY_EXAMPLE, true),
        ...problemResponses(problemCodesOf(null, 'GET')),
      },
    },
    delete: {
      operationId: 'revoke-key',
      ...OF_KEY,
      summary: 'Revoke the key that you send',
      description: 'For anyone who finds a leaked key. It cannot be undone, and it counts towards no limit.',
      responses: {
        ...success('Revoked.', 'RevokeKeyAnswer', { key_id: '9gR3k', revoked: true }),
        ...problemResponses(problemCodesOf(null, 'DELETE').filter((code) => code !== 'rate_limited')),
      },
    },
  },
  [LIVE.path]: {
    get: {
      operationId: 'live',
      ...OF_HEALTH,
      summary: 'The process runs',
      description: 'Restart the process when this does not answer.',
      responses: { ...success('It runs.', 'LiveAnswer', { status: 'live' }), ...problemResponses(ANYWHERE) },
    },
  },
  [READY.path]: {
    get: {
      operationId: 'ready',
      ...OF_HEALTH,
      summary: 'The process takes requests',
      description: 'Send it no requests while this is not 200.',
      responses: {
        ...success('It takes requests.', 'ReadyAnswer', READY_EXAMPLE),
        ...problemResponses(READY_CODES),
      },
    },
  },
} satisfies Schema;
