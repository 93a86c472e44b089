import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';
import { expectedAnswer, openExampleService, type ExampleService } from '../recipes/example-service.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** A developer's code with the client; the marked lines must not type-check. */
const USE = `
import { Quartermaster, QuartermasterError, type ParseArgs } from './client.ts';

const tools = new Quartermaster('https://qm.example', 'qm_key');
const line: ParseArgs = await tools.parseArgs({ text: '!ban', pingtoid: true });
export const id: string | null = line.user_id;
export const chunks: readonly string[] = (await tools.textSplitter({ text: 'x', mode: 'plain', max_length: 'message' })).chunks;
export const members: readonly string[] | null = (await tools.roleMembers({ role_id: '1' }, 'token')).members;
export const flag: true | string | undefined = line.flags['silent'];
export const isOurs = (error: unknown) => error instanceof QuartermasterError && error.problem?.code === 'rate_limited';
const sent = await tools.send({ text: 'x' }, 'webhook', 'key');
export const rest: string | null = sent.pending ? (await tools.lookSend(sent)).rest : sent.rest;
// @ts-expect-error it takes a webhook
await tools.send({ text: 'x' });
// @ts-expect-error a field is missing
await tools.imageToBase64({});
// @ts-expect-error there is no such mode
await tools.textSplitter({ text: 'x', mode: 'html' });
// @ts-expect-error ids are strings
await tools.roleMembers({ role_id: 123 });
`;

interface Client {
  readonly Quartermaster: new (
    url: string,
    key: string,
  ) => Record<string, (input: object, token?: string) => Promise<Record<string, unknown>>>;
}

describe('the generated client', () => {
  let folder: string;
  let service: ExampleService;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'client-'));
    const { stdout } = await run(process.execPath, [path.join(ROOT, 'scripts/print-client.ts')], {
      maxBuffer: 10 ** 7,
    });
    await writeFile(path.join(folder, 'client.ts'), stdout);
    await writeFile(path.join(folder, 'use.ts'), USE);
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    service = await openExampleService();
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  test('type-checks under strict settings, and so does what one writes with it', async () => {
    const flags =
      '--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noUnusedLocals --erasableSyntaxOnly --allowImportingTsExtensions --target es2024 --module nodenext --lib es2024,dom,dom.iterable --types';
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
    const done = await run(tsc, [...flags.split(' '), '', 'use.ts'], { cwd: folder }).catch(
      (failure: { stdout: string }) => failure,
    );
    expect(done.stdout).toBe('');
  });

  test.each(
    OPERATIONS.map(
      (operation) =>
        [
          operation.name,
          operation.name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
          operation,
        ] as const,
    ),
  )('gets the documented answer of %s by the method %s', async (_name, method, operation) => {
    const { Quartermaster } = (await import(pathToFileURL(path.join(folder, 'client.ts')).href)) as Client;
    const tools = new Quartermaster(`${service.url}/`, service.key);
    expect(await tools[method]?.(service.inputOf(operation), service.secretOf(operation))).toEqual(
      expectedAnswer(operation.example),
    );
  });

  test.each([
    ['nobody listens', 'http://127.0.0.1:1'],
    ['something else answers', null],
  ])('throws the same error where %s', async (_what, address) => {
    const { Quartermaster } = (await import(pathToFileURL(path.join(folder, 'client.ts')).href)) as Client;
    const proxy = createServer((_request, response) =>
      response.writeHead(502).end('<html>bad gateway</html>'),
    );
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const url = address ?? `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const asked = new Quartermaster(url, service.key)['parseArgs']?.({ text: '!ban' });
    await expect(asked).rejects.toMatchObject({
      name: 'QuartermasterError',
      message: 'The service cannot be reached.',
      problem: null,
      cause: expect.any(Error) as unknown,
    });
    proxy.close();
  });

  test('throws what the service says', async () => {
    const { Quartermaster } = (await import(pathToFileURL(path.join(folder, 'client.ts')).href)) as Client;
    const tools = new Quartermaster(service.url, service.key);
    await expect(tools['permissionEncoder']?.({ permissions: ['FLY'] })).rejects.toMatchObject({
      name: 'QuartermasterError',
      problem: { code: 'unknown_permission', status: 400 },
    });
  });
});
