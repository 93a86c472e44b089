import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { toObjectSchema } from '../../../src/http/openapi/json-schema.ts';
import { createOpenApiDocument } from '../../../src/http/openapi/openapi-document.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { isFullRun } from '../../fixtures/full-run.ts';

// Clients that people generate from the OpenAPI document, by the generators themselves.

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Packages of their own: the generators need an older TypeScript than we do. */
const WORKSPACE = path.join(ROOT, 'test/generators');
/** Ours says the same of the clients in a seventh of the processor time. A full run asks that of the generators. */
const COMPILER = path.join(isFullRun() ? WORKSPACE : ROOT, 'node_modules/typescript/bin/tsc');
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

/** swagger-typescript-api takes as long as two of the others, so only a full run asks it. */
const isAsked = (name: string) => isFullRun() || !name.includes('swagger');

/** They are installed when somebody wants them. Where services are required, their tests fail without them. */
const isLeftOut =
  !existsSync(path.join(WORKSPACE, 'node_modules')) && process.env['REQUIRE_SERVICES'] !== '1';

const program = (file: string, ...args: readonly string[]) =>
  run(process.execPath, [file, ...args], { cwd: folder });

let folder: string;
/** What TypeScript says, a line each. */
let said: readonly string[] = [];
beforeAll(async () => {
  if (isLeftOut) return;
  folder = await mkdtemp(path.join(WORKSPACE, '.generated-'));
  const document = createOpenApiDocument({
    operations: OPERATIONS,
    publicUrl: 'https://qm.example',
  });
  await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(document));
  for (const [file, ...args] of GENERATORS.filter(([file]) => isAsked(file)))
    await program(path.join(WORKSPACE, 'node_modules', file), ...args);
  const uses = Object.entries(USES).filter(([name]) => isAsked(name));
  for (const [name, lines] of uses) await writeFile(path.join(folder, name), lines.join('\n'));
  said = await compile(uses.map(([name]) => name));
});
afterAll(async () => {
  if (!isLeftOut) await rm(folder, { recursive: true });
});

/** Compiles all files together, because a start of TypeScript costs more than they do. */
async function compile(files: readonly string[]): Promise<string[]> {
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }),
  );
  const { stdout } = await program(COMPILER).catch((error: { readonly stdout: string }) => error);
  return stdout.split('\n').filter((line) => line !== '');
}

/** The least that a call of each operation needs: fields that have a default are left out. */
const CALLS = OPERATIONS.map(({ name, method, path: address, input, example, secretHeader }) => {
  const { required } = toObjectSchema(input, 'input');
  const fields = Object.fromEntries(required.map((field) => [field, example.input[field]]));
  const headers = secretHeader === 'Webhook' ? { Webhook: 'https://discord.com/api/webhooks/1/a' } : {};
  const id = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { id, method, address, fields, headers };
});

const GENERATORS: readonly (readonly [file: string, ...args: string[]])[] = [
  ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'quartermaster.d.ts'],
  ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey', '--no-log-file', '-s'],
  ['orval/dist/bin/orval.mjs', '--input', 'openapi.json', '--output', 'orval.ts', '--client', 'fetch'],
  ['swagger-typescript-api/dist/cli.mjs', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'swagger.ts'],
];

const API_PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../docs/api.md'), 'utf8');
const [, DOCUMENTED = ''] = /## A typed client.*?```ts\n(.*?)```/s.exec(API_PAGE) ?? [];

/** The use of each client. */
const USES = {
  'use-fetch.ts': [
    "import createClient from 'openapi-fetch';",
    "import type { paths } from './quartermaster.js';",
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
  ],
  'use-docs.ts': ['declare const process: { readonly env: Record<string, string | undefined> };', DOCUMENTED],
  'use-hey.ts': [
    "import * as client from './hey/sdk.gen.js';",
    ...CALLS.map(({ id, method, fields, headers }) => {
      const given = { headers, ...(method === 'POST' ? { body: fields } : { query: fields }) };
      return `export const ${id} = await client.${id}(${JSON.stringify(given)});`;
    }),
    'export const code: string | undefined = textSplitter.error?.code;',
    '// @ts-expect-error a field is missing',
    'await client.imageToBase64({ body: {} });',
  ],
  'use-orval.ts': [
    "import * as client from './orval.js';",
    ...CALLS.map(({ id, fields }) => `export const ${id} = await client.${id}(${JSON.stringify(fields)});`),
    'const { data } = textSplitter;',
    'export const chunks: readonly string[] = data.ok ? data.chunks : [];',
    '// @ts-expect-error a field is missing',
    'await client.imageToBase64({});',
  ],
  'use-swagger.ts': [
    "import { Api } from './swagger.js';",
    'const { api } = new Api();',
    ...CALLS.map(({ id, fields }) => `export const ${id} = await api.${id}(${JSON.stringify(fields)});`),
    'export const chunks: readonly string[] = textSplitter.data.chunks;',
    '// @ts-expect-error a field is missing',
    'await api.imageToBase64({});',
  ],
} satisfies Record<string, readonly string[]>;

const MADE = [
  ['openapi-typescript and openapi-fetch make', 'use-fetch.ts', 'quartermaster.d.ts'],
  ['@hey-api/openapi-ts makes', 'use-hey.ts', 'hey/'],
  ['orval makes', 'use-orval.ts', 'orval.ts'],
  ['swagger-typescript-api makes', 'use-swagger.ts', 'swagger.ts'],
] as const;

test.skipIf(isLeftOut).each(MADE.filter(([name]) => isAsked(name)))(
  '%s a client that takes the least of each operation',
  (_generator, ...files) => {
    expect(said.filter((line) => files.some((file) => line.startsWith(file)))).toEqual([]);
  },
);

test.skipIf(isLeftOut)('the client of docs/api.md compiles', () => {
  expect(DOCUMENTED).toContain('createClient<paths>');
  // And that nothing is said of other files, or of the settings.
  expect(said).toEqual([]);
});
