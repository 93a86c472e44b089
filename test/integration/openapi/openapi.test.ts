import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';
import { STATUSES } from '../../../src/kernel/problem.ts';
import { flatten } from '../../../src/http/answer/flat.ts';
import { compileSchema } from '../../fixtures/compile-schema.ts';
import { sendRaw } from '../http/raw-http.ts';
import { expectedAnswer, openExampleService, type ExampleService } from '../recipes/example-service.ts';
import { badRequestsOf, requestsOf } from './openapi-requests.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}
interface ApiOperation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters: readonly {
    readonly name?: string;
    readonly description?: string;
    readonly schema?: object;
  }[];
  readonly requestBody?: { content: Record<string, Media> };
  readonly responses: Record<
    string,
    { description: string; headers?: object; content?: Record<string, Media> }
  >;
}
interface ApiDocument {
  readonly servers: { url: string }[];
  readonly paths: Record<string, Record<string, ApiOperation>>;
  readonly components: object;
}

let service: ExampleService;
let api: ApiDocument;
let ajv: Ajv2020;

beforeAll(async () => {
  service = await openExampleService();
  api = (await (await fetch(`${service.url}/openapi.json`)).json()) as ApiDocument;
  ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: api.components });
});
afterAll(() => service.close());

/** Errors of a value against a schema of the document; null when there are none. */
function check(schema: object, value: unknown): unknown {
  const json = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
  const validate = compileSchema(ajv, JSON.parse(json) as object, 42);
  return validate(value) ? null : validate.errors;
}

function contentOf(operation: ApiOperation, status: number | string): Media {
  const media = operation.responses[String(status)]?.content?.['application/json'];
  if (media === undefined) throw new Error(`${operation.operationId} has no ${status}`);
  return media;
}

describe('the OpenAPI document', () => {
  test('passes the linter without a message', async () => {
    // The linter rightly warns of a server on localhost, which this test's is.
    const source = JSON.stringify({ ...api, servers: [{ url: 'https://quartermaster.test' }] });
    const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('names the URL of the service', () => {
    expect(api.servers).toEqual([{ url: `http://localhost:${service.port}` }]);
  });

  test('breaks a description only between paragraphs and entries of a list', () => {
    const operations = Object.values(api.paths).flatMap((path) => Object.values(path));
    const broken = operations.filter(({ description = '' }) => /\S\n(?!\n|- )|\S {2}/.test(description));
    expect(broken.map(({ operationId }) => operationId)).toEqual([]);
    expect(operations.filter(({ description = '' }) => description.includes('\n\n'))).not.toEqual([]);
  });

  test('has every operation with exactly the methods that the service answers', async () => {
    for (const [address, methods] of Object.entries(api.paths)) {
      const response = await fetch(service.url + address, { method: 'OPTIONS' });
      const allowed = (response.headers.get('allow') ?? '').split(', ');
      const told = allowed.filter((method) => method !== 'HEAD' && method !== 'OPTIONS');
      expect(
        Object.keys(methods)
          .map((method) => method.toUpperCase())
          .toSorted(),
      ).toEqual(told.toSorted());
    }
    expect(Object.keys(api.paths)).toEqual(
      expect.arrayContaining(OPERATIONS.map((operation) => operation.path)),
    );
  });

  test('has every status that a path without a key answers', async () => {
    for (const address of Object.keys(api.paths).filter((each) => each.startsWith('/health'))) {
      const answers = await Promise.all([
        sendRaw(service.port, `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
        sendRaw(service.port, `GET ${address} HTTP/1.1\r\nConnection: close\r\n\r\n`),
        sendRaw(service.port, `GET ${address} HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n`),
        sendRaw(service.port, `GET ${address} HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`),
      ]);
      expect(answers.map(({ status }) => String(status))).toEqual(['200', '400', '417', '431']);
      expect(Object.keys(api.paths[address]?.['get']?.responses ?? {})).toEqual(
        expect.arrayContaining(['200', '400', '417', '431']),
      );
    }
  });

  test('has no dialect within a schema, which Postman takes for a parameter', () => {
    expect(JSON.stringify(api)).not.toContain('$schema');
  });

  test.each([
    ['/api/text-splitter', 'overflow', 'Default `error`.'],
    ['/api/text-splitter', 'final', 'Default `true`.'],
    ['/api/send', 'mentions', 'Default `none`.'],
    ['/api/message-check', 'sent_by', 'Default `bot`.'],
    ['/api/role-changes', 'bots', 'Default `exclude`.'],
  ])('says for %s what the field %s is by default', (path, name, sentence) => {
    const [operation] = Object.values(api.paths[path] ?? {});
    const field = operation?.parameters.find((each) => each.name === name);
    expect(field?.description).toContain(sentence);
    // A client that was generated from a schema with `default` demands the field.
    expect(field?.schema).not.toHaveProperty('default');
  });

  test('explains every code of the table of problems', () => {
    const text = JSON.stringify(api);
    expect(Object.keys(STATUSES).filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });

  test('says of send, which takes a webhook, that the webhook may be malformed', () => {
    const { description } = api.paths['/api/send']?.['post']?.responses['400'] ?? { description: '' };
    expect(description).toMatch(/`token_malformed`: .*\bWebhook\b/);
  });
});

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s',
  (_name, operation) => {
    const { example } = operation;
    const input = () => service.inputOf(operation);
    const methods = () => api.paths[operation.path] ?? {};
    const main = () => methods()[operation.method.toLowerCase()] as ApiOperation;

    test('answers its example as documented, in every way in which it can be sent', async () => {
      for (const { how, path: address, init } of requestsOf(operation, input())) {
        const { status, type, body, headers } = await service.call(address, init);
        expect(headers.has('etag')).toBe(operation.revalidates);
        expect({ how, status, type }).toEqual({ how, status: 200, type: 'application/json; charset=utf-8' });
        expect(body).toEqual(expectedAnswer(example));
        expect(check(contentOf(main(), 200).schema, body)).toBeNull();
      }
    });

    test('answers its example flat as documented', async () => {
      const documented = flatten(example.answer, null);
      const fixed = Object.entries(documented).filter(
        ([key]) => !example.volatileKeys.some((each) => key === each || key.startsWith(`${each}_`)),
      );
      for (const { path: address, init } of requestsOf(operation, { ...input(), flat: true })) {
        const { body } = await service.call(address, init);
        expect(Object.keys(body)).toEqual(expect.arrayContaining(Object.keys(documented)));
        expect(body).toMatchObject(Object.fromEntries(fixed));
      }
    });

    test('documents only examples that match their schemas', () => {
      const misfits = Object.values(methods()).flatMap((method) =>
        Object.entries(method.responses).flatMap(([status, { content }]) => {
          const { example: value } = content?.['application/json'] ?? {};
          const errors = value === undefined ? null : check(contentOf(method, status).schema, value);
          return errors === null ? [] : [{ status, errors }];
        }),
      );
      expect(misfits).toEqual([]);
    });

    test('fails only in documented ways', async () => {
      for (const { path: address, init } of badRequestsOf(operation, service)) {
        const { status, body, headers } = await service.call(address, init);
        const documented = methods()[(init.method ?? 'GET').toLowerCase()]?.responses[String(status)];
        if (status === 200) continue;
        expect(documented?.description).toContain(`- \`${String(body['code'])}\`: `);
        expect(check({ $ref: '#/components/schemas/Problem' }, body)).toBeNull();
        expect(Object.keys(documented?.headers ?? {}).filter((header) => !headers.has(header))).toEqual(
          body['retry_after'] === null && status === 503 ? ['Retry-After'] : [],
        );
      }
    });
  },
);
