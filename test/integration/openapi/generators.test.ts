import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { toObjectSchema } from '../../../src/http/openapi/json-schema.ts';
import { createOpenApiDocument } from '../../../src/http/openapi/openapi-document.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';

// Clients that people generate from the OpenAPI document, by the generators themselves and with their TypeScript.

/** Packages of their own: the generators need an older TypeScript than we do. */
const WORKSPACE = path.resolve(import.meta.dirname, '../../generators');
const COMPILER_OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
};
const run = promisify(execFile);

/** They are installed when somebody wants them. Where services are required, their tests fail without them. */
const isLeftOut =
  !existsSync(path.join(WORKSPACE, 'node_modules')) && process.env['REQUIRE_SERVICES'] !== '1';

const program = (file: string, ...args: readonly string[]) =>
  run(process.execPath, [path.join(WORKSPACE, 'node_modules', file), ...args], { cwd: folder });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(WORKSPACE, '.generated-'));
  const document = createOpenApiDocument({
    operations: OPERATIONS,
    publicUrl: 'https://qm.example',
  });
  await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(document));
});
afterAll(() => rm(folder, { recursive: true }));

/** What TypeScript says about a file. */
async function compile(name: string, lines: readonly string[]): Promise<string> {
  const project = { compilerOptions: COMPILER_OPTIONS, files: [name] };
  await writeFile(path.join(folder, name), lines.join('\n'));
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
  return program('typescript/bin/tsc').then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

/** The least that a call of each operation needs: fields that have a default are left out. */
const CALLS = OPERATIONS.map(({ name, method, path: address, input, example, secretHeader }) => {
  const { required } = toObjectSchema(input, 'input');
  const fields = Object.fromEntries(required.map((field) => [field, example.input[field]]));
  const headers = secretHeader === 'Webhook' ? { Webhook: 'https://discord.com/api/webhooks/1/a' } : {};
  const id = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { id, method, address, fields, headers };
});

test.skipIf(isLeftOut)(
  'openapi-typescript and openapi-fetch make a client that accepts the minimum of each operation',
  async () => {
    await program('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.d.ts');
    const said = await compile('use-fetch.ts', [
      "import createClient from 'openapi-fetch';",
      "import type { paths } from './schema.js';",
      "const client = createClient<paths>({ baseUrl: 'https://qm.example' });",
      ...CALLS.map(({ id, method, address, fields, headers }) => {
        const header = Object.keys(headers).length === 0 ? {} : { header: headers };
        const given =
          method === 'GET' ? { params: { ...header, query: fields } } : { params: header, body: fields };
        return `export const ${id} = await client.${method}('${address}', ${JSON.stringify(given)});`;
      }),
      'export const code: string | undefined = textSplitter.error?.code;',
      '// @ts-expect-error a field is missing',
      "await client.POST('/api/image-to-base64', { body: {} });",
    ]);
    expect(said).toBe('');
  },
);

test.skipIf(isLeftOut)('the client of docs/api.md compiles', async () => {
  const page = readFileSync(path.resolve(WORKSPACE, '../../docs/api.md'), 'utf8');
  const [, example = ''] = /## A typed client.*?```ts\n(.*?)```/s.exec(page) ?? [];
  await program('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'quartermaster.d.ts');
  const environment = 'declare const process: { readonly env: Record<string, string | undefined> };';
  expect(example).toContain('createClient<paths>');
  expect(await compile('use-docs.ts', [environment, example])).toBe('');
});

test.skipIf(isLeftOut)(
  '@hey-api/openapi-ts makes a client that accepts the minimum of each operation',
  async () => {
    await program('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey', '--no-log-file', '-s');
    const said = await compile('use-hey.ts', [
      "import * as client from './hey/sdk.gen.js';",
      ...CALLS.map(({ id, method, fields, headers }) => {
        const given = { headers, ...(method === 'POST' ? { body: fields } : { query: fields }) };
        return `export const ${id} = await client.${id}(${JSON.stringify(given)});`;
      }),
      'export const code: string | undefined = textSplitter.error?.code;',
      '// @ts-expect-error a field is missing',
      'await client.imageToBase64({ body: {} });',
    ]);
    expect(said).toBe('');
  },
);

test.skipIf(isLeftOut)('orval makes a client that accepts the minimum of each operation', async () => {
  await program(
    'orval/dist/bin/orval.mjs',
    '--input',
    'openapi.json',
    '--output',
    'orval.ts',
    '--client',
    'fetch',
  );
  const said = await compile('use-orval.ts', [
    "import * as client from './orval.js';",
    ...CALLS.map(({ id, fields }) => `export const ${id} = await client.${id}(${JSON.stringify(fields)});`),
    'const { data } = textSplitter;',
    'export const chunks: readonly string[] = data.ok ? data.chunks : [];',
    '// @ts-expect-error a field is missing',
    'await client.imageToBase64({});',
  ]);
  expect(said).toBe('');
});

test.skipIf(isLeftOut)(
  'swagger-typescript-api makes a client that accepts the minimum of each operation',
  async () => {
    await program(
      'swagger-typescript-api/dist/cli.mjs',
      'generate',
      '-p',
      'openapi.json',
      '-o',
      '.',
      '-n',
      'swagger.ts',
    );
    const said = await compile('use-swagger.ts', [
      "import { Api } from './swagger.js';",
      'const { api } = new Api();',
      ...CALLS.map(({ id, fields }) => `export const ${id} = await api.${id}(${JSON.stringify(fields)});`),
      'export const chunks: readonly string[] = textSplitter.data.chunks;',
      '// @ts-expect-error a field is missing',
      'await api.imageToBase64({});',
    ]);
    expect(said).toBe('');
  },
);
