import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { findFreePort } from '../fixtures/free-port.ts';
import { childrenOf, newFolder, ROOT, startWith } from './service-process.ts';

const START = path.join(ROOT, 'scripts/start.js');
const BROUGHT = path.join(ROOT, `node_modules/node-${process.platform}-${process.arch}/bin/node`);

/** A Node of the system that is too old for the service; null where there is none. */
const oldNode =
  ['/usr/local/bin/node', '/usr/bin/node'].find((file) => {
    if (!existsSync(file)) return false;
    const { major = 99 } =
      /^v(?<major>\d+)/.exec(execFileSync(file, ['-v'], { encoding: 'utf8' }))?.groups ?? {};
    return Number(major) < 22;
  }) ?? null;

/** Node 24 under another path, which says that it is Node 22. */
function middleNode(): readonly string[] {
  const folder = newFolder();
  const node = path.join(folder, 'node');
  try {
    linkSync(BROUGHT, node);
  } catch {
    cpSync(BROUGHT, node);
  }
  const pretend = `if (process.execPath === '${node}') Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.15.0' } })`;
  return [node, '--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
}

function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);

/** Without it, a service with lists of members takes 80 MiB more. */
const HEAP = '--max-semi-space-size=8';

describe('scripts/start.js', () => {
  test('starts the service in one process through npm, and listens on the port of a platform', async () => {
    const port = String(await findFreePort());
    const service = startWith(['npm', '--prefix', ROOT, 'start'], {
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      PORT: port,
      RAILWAY_ENVIRONMENT: 'production',
      STORAGE_URL: 'memory:',
    });
    await service.ready();
    // The machine's own address in its network, or another one of itself where it has none.
    const address = ownAddress() ?? '127.0.0.2';
    expect((await fetch(`http://${address}:${port}/health/live`)).status).toBe(200);
    expect(service.output.stdout).toContain('because RAILWAY_ENVIRONMENT says that this is Railway');
    const [pid = 0, ...others] = childrenOf(service.child.pid!);
    expect(others).toEqual([]);
    expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toMatch(/^(?:node|MainThread)/);
    expect(childrenOf(pid)).toEqual([]);
    expect(commandOf(pid)).toContain(HEAP);
    process.kill(pid, 'SIGTERM');
    expect(await service.exited).toBe(0);
  });

  test.skipIf(oldNode === null)(
    'runs the Node that npm installed on a system with an older one, started by the file of a panel, and passes a signal on once (Node 20)',
    async () => {
      const port = String(await findFreePort());
      // The startup command of the generic Node egg, with scripts/start.js as its main file.
      const command = `if [ -f package.json ]; then :; fi; ${oldNode} --max-old-space-size=300 ${START} \${NODE_ARGS}`;
      const service = startWith(
        ['bash', '-c', command],
        {
          PORT: '',
          SERVER_PORT: port,
          SERVER_IP: '0.0.0.0',
          P_SERVER_UUID: crypto.randomUUID(),
          STORAGE_URL: 'memory:',
        },
        { detached: true },
      );
      expect(await service.ready()).toBe(Number(port));
      expect((await fetch(`http://127.0.0.2:${port}/health/live`)).status).toBe(200);
      // A shell may become its last command.
      const shell = service.child.pid!;
      const old = commandOf(shell)[0] === oldNode ? shell : childrenOf(shell)[0]!;
      expect(childrenOf(old).map(commandOf)).toEqual([[BROUGHT, '--max-old-space-size=300', HEAP, START]]);
      // To its whole group, as a terminal does: the service receives it once.
      process.kill(-shell, 'SIGINT');
      expect(await service.exited).toBe(0);
      expect(service.output.stdout).toContain('"msg":"stopped"');
    },
  );

  test.skipIf(oldNode === null)(
    'passes on arguments, the exit code and the signal that ends a script (Node 20)',
    async () => {
      const says = [oldNode!, START, 'test/process/say-and-wait-child.ts'];
      const ended = startWith([...says, 'this', '78']);
      expect([await ended.exited, ended.output]).toEqual([78, { stdout: 'this\n', stderr: '' }]);
      const waits = startWith([...says, 'this']);
      await waits.line('this');
      waits.child.kill('SIGINT');
      await waits.exited;
      expect(waits.child.signalCode).toBe('SIGINT');
    },
  );

  test('ends with 0 at a signal that comes before the service listens for it', async () => {
    // The signal comes when the process turns to the code of the service, which it has not loaded yet.
    const signalEarly = `import module from 'node:module';
      const { enableCompileCache } = module;
      module.enableCompileCache = (folder) => {
        process.kill(process.pid, 'SIGTERM');
        return enableCompileCache(folder);
      };`;
    const preload = `data:text/javascript,${encodeURIComponent(signalEarly)}`;
    const service = startWith([process.execPath, '--import', preload, START], { STORAGE_URL: 'memory:' });
    expect([await service.exited, service.output.stderr]).toEqual([0, '']);
  });

  test('replaces itself with the Node that npm installed where the older one can', async () => {
    const script = startWith([...middleNode(), START, 'test/process/say-and-wait-child.ts', 'this']);
    await script.line('this');
    expect(commandOf(script.child.pid!).at(0)).toBe(BROUGHT);
    expect(childrenOf(script.child.pid!)).toEqual([]);
    script.child.kill('SIGTERM');
    await script.exited;
    expect([script.child.signalCode, script.output.stderr]).toEqual(['SIGTERM', '']);
  });

  test.each([
    [
      'there is no Node that is new enough',
      'node_modules',
      /^Quartermaster needs Node 24\.11 or newer, and this is Node 22\.15\.0\.[^\n]*\n$/,
    ],
    [
      'the one that npm brought cannot run on this machine',
      path.relative(ROOT, BROUGHT),
      /^Quartermaster needs Node 24\.11 or newer, and this is Node 22\.15\.0\.[^\n]*\n$/,
    ],
    [
      'no package was installed',
      '',
      /^The packages of Quartermaster are missing\. Run "npm ci --omit=dev"[^\n]*\n$/,
    ],
  ])('exits with 78 and one sentence when %s', async (_, installed, sentence) => {
    const checkout = newFolder();
    mkdirSync(path.join(checkout, 'scripts'));
    cpSync(START, path.join(checkout, 'scripts/start.js'));
    cpSync(path.join(ROOT, 'package.json'), path.join(checkout, 'package.json'));
    mkdirSync(path.join(checkout, installed), { recursive: true });
    const service = startWith([...middleNode(), path.join(checkout, 'scripts/start.js')]);
    expect([await service.exited, service.output.stderr]).toEqual([78, expect.stringMatching(sentence)]);
  });

  test.each(['scripts/nope.ts', 'scripts', '--help'])(
    'exits with 78 and one sentence when there is no script %s',
    async (script) => {
      const service = startWith([process.execPath, START, script]);
      expect([await service.exited, service.output.stderr]).toEqual([
        78,
        `There is no script ${script} in ${ROOT}.\n`,
      ]);
    },
  );

  test('names the wrong setting instead of printing the OpenAPI document', async () => {
    const service = startWith([process.execPath, START, 'scripts/print-openapi.ts'], { PORT: 'x' });
    expect(await service.exited).toBe(1);
    expect(service.output).toEqual({
      stdout: '',
      stderr: 'The settings cannot be used:\n  PORT must be a whole number from 0 to 65535\n',
    });
  });

  test.each(['print-openapi', 'print-recipes'])(
    'ends %s quietly when its reader closes the pipe',
    async (script) => {
      const command = `'${process.execPath}' '${START}' scripts/${script}.ts | head -n 1; echo "\${PIPESTATUS[0]}"`;
      const printed = startWith(['bash', '-c', command]);
      expect(await printed.exited).toBe(0);
      expect(printed.output.stderr).toBe('');
      expect(printed.output.stdout).toMatch(/\n0\n$/);
    },
  );

  test('uses .env, data and compiled code of its own checkout', async () => {
    const checkout = newFolder();
    for (const part of ['scripts', 'src', 'docs', 'package.json']) {
      symlinkSync(path.join(ROOT, part), path.join(checkout, part));
    }
    writeFileSync(path.join(checkout, '.env'), 'RATE_LIMIT=7\nLOG_LEVEL=debug\n');
    mkdirSync(path.join(checkout, 'node_modules'));
    for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
      if (name.startsWith('.')) continue;
      symlinkSync(path.join(ROOT, 'node_modules', name), path.join(checkout, 'node_modules', name));
    }
    const start = path.join(checkout, 'scripts/start.js');
    const command = [process.execPath, '--preserve-symlinks-main', '--preserve-symlinks', start];
    const service = startWith(command, { NODE_COMPILE_CACHE: '' });
    await service.ready();
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.output.stdout).toContain('"RATE_LIMIT":7');
    expect(existsSync(path.join(checkout, 'data/quartermaster.sqlite'))).toBe(true);
    expect(readdirSync(path.join(checkout, 'node_modules/.cache/compile'))).not.toEqual([]);
  });
});
