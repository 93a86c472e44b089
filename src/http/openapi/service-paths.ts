import { VERSION } from '../../version.ts';
import type { Schema } from './json-schema.ts';
import { problemCodesOf } from './problem-codes.ts';
import { problemResponses, successResponse } from './responses.ts';

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const instant = (description: string) => ({
  type: 'integer',
  description: `${description}, in Unix seconds.`,
});
const parameters = ['flat', 'always_200'].map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** A request can end in these before anybody looks at its path. */
const ANYWHERE = ['bad_request', 'secret_in_url', 'expectation_failed', 'headers_too_large'] as const;

/** Schemas of the answers that belong to no operation. */
export const SERVICE_SCHEMAS: Schema = {
  Key: object({
    ok: { type: 'boolean', const: true },
    key_id: { ...text, description: 'Public.' },
    name: text,
    guild_id: { type: ['string', 'null'], description: 'Server of the key; null for a local key.' },
    created_at: instant('When it was made'),
    expires_at: { type: ['integer', 'null'], description: 'When it ends, in Unix seconds; null is never.' },
    flat: { ...flag, description: 'Default of `flat` for this key.' },
    always_200: { ...flag, description: 'Default of `always_200` for this key.' },
    operations: {
      type: ['array', 'null'],
      items: text,
      description: 'Names of the operations that the key may call; null is all of them.',
    },
    requests_per_minute: whole,
    images_per_minute: whole,
    sends_per_minute: whole,
  }),
  RevokedKey: object({
    ok: { type: 'boolean', const: true },
    key_id: text,
    revoked: { type: 'boolean', const: true },
  }),
  Live: object({ ok: { type: 'boolean', const: true }, status: { type: 'string', const: 'live' } }),
  Ready: {
    type: 'object',
    properties: {
      ok: { type: 'boolean', const: true },
      status: { type: 'string', const: 'ready' },
      version: text,
      storage: text,
      discord: { type: 'object', description: 'Whether the gateway is connected, and why not.' },
    },
    required: ['ok', 'status'],
  },
};

const EXAMPLE_KEY = {
  ok: true,
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

/** The paths that belong to no operation. */
export const SERVICE_PATHS: Schema = {
  '/api/key': {
    get: {
      operationId: 'key',
      tags: ['key'],
      summary: 'What your key is: a first call that changes nothing',
      description: 'Name, server, end and quota of the key that you send.',
      parameters,
      responses: {
        '200': successResponse('Done.', ref('Key'), { answer: { value: EXAMPLE_KEY } }),
        ...problemResponses(problemCodesOf(null, 'GET')),
      },
    },
    delete: {
      operationId: 'revoke-key',
      tags: ['key'],
      summary: 'Revoke the key that you send',
      description: 'For anyone who finds a leaked key. It cannot be undone, and it counts towards no limit.',
      parameters,
      responses: {
        '200': plain('Revoked.', 'RevokedKey', { ok: true, key_id: '9gR3k', revoked: true }),
        ...problemResponses(problemCodesOf(null, 'DELETE').filter((code) => code !== 'rate_limited')),
      },
    },
  },
  '/health/live': {
    get: {
      operationId: 'live',
      tags: ['health'],
      summary: 'The process runs',
      description: 'Restart the process when this does not answer.',
      security: [],
      responses: {
        '200': plain('It runs.', 'Live', { ok: true, status: 'live' }),
        ...problemResponses(ANYWHERE),
      },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'ready',
      tags: ['health'],
      summary: 'The process takes requests',
      description: 'Send it no requests while this is not 200.',
      security: [],
      responses: {
        '200': plain('It takes requests.', 'Ready', {
          ok: true,
          status: 'ready',
          version: VERSION,
          storage: 'ok',
          discord: { connected: false, reason: 'off' },
        }),
        ...problemResponses([...ANYWHERE, 'storage_unavailable', 'shutting_down']),
      },
    },
  },
};

function object(properties: Schema): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function plain(description: string, name: string, value: Schema): Schema {
  return {
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
    content: { 'application/json': { schema: ref(name), example: value } },
  };
}
