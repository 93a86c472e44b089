// The one way to start the service, for npm, units, containers and panels: node scripts/start.js
// With arguments it runs the script that they name: node scripts/start.js scripts/key.ts list 123456789012345678
//
// Plain JavaScript on purpose: it has to run, and explain what is wrong, on a Node that cannot run TypeScript.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * For the service, room for new objects in MiB: with Node's own, a service with lists of members is 80 MiB larger. It
 * counts only on the command line, so the process begins once more with it.
 */
const FLAGS = process.argv.length > 2 ? [] : ['--max-semi-space-size=8'];

/** EX_CONFIG of sysexits.h: trying again does not help. */
const WRONG_SETTINGS = 78;

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

// Until the service itself listens, a signal ends its start. The first process of a container would ignore it.
if (process.argv.length === 2) {
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      if (process.listenerCount(signal) === 0) process.exit(0);
    });
  }
}

// `.env`, `data/` and the names of scripts are those of the checkout, wherever this is called.
const checkout = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(checkout);

/** The Node that npm has brought along, where it has. */
const brought = path.join(checkout, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (!existsSync('node_modules')) {
  fail('The packages of Quartermaster are missing. Run "npm ci --omit=dev" in its folder.');
} else if (major > 24 || (major === 24 && minor >= 11)) {
  if (FLAGS.every((flag) => process.execArgv.includes(flag))) await run();
  else become(process.execPath);
} else if (canRun(brought)) {
  become(brought);
} else {
  fail(
    `Quartermaster needs Node 24.11 or newer, and this is Node ${process.versions.node}. On Linux (x64, arm64) "npm ci" ` +
      'brings one along; elsewhere, and after "npm ci --omit=optional", install Node 24: https://nodejs.org',
  );
}

async function run() {
  const [node = '', , script = 'src/main.ts', ...args] = process.argv;
  const file = path.resolve(script);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    fail(`There is no script ${script} in ${checkout}.`);
    return;
  }
  // Later starts reuse what was compiled, which halves their time. NODE_COMPILE_CACHE names another place for it.
  module.enableCompileCache(path.join(checkout, 'node_modules/.cache/compile'));
  process.argv = [node, file, ...args];
  await import(pathToFileURL(file).href);
}

/**
 * It may be missing, or made for another C library. Finding out only by running it in our place would end in a crash.
 * @param {string} node
 */
function canRun(node) {
  return spawnSync(node, ['-v'], { stdio: 'ignore' }).status === 0;
}

/** @param {string} node */
function become(node) {
  const args = [...process.execArgv, ...FLAGS, ...process.argv.slice(1)];
  // From Node 22.15 on, a process can be replaced by another program. An older Node stays, between the service and its
  // parent.
  if (process.execve !== undefined) process.execve(node, [node, ...args], process.env);
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** @param {string} sentence */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = WRONG_SETTINGS;
}
