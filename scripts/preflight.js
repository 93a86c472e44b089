// Plain JavaScript on purpose: it has to run, and explain what is wrong, on a Node that cannot run TypeScript.
import { readdirSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 11)) {
  process.stderr.write(
    `Quartermaster needs Node 24.11 or newer; this is Node ${process.versions.node}.\n` +
      'On Linux (x64, arm64) "npm ci" brings its own runtime, which the npm scripts use: run "npm start", "npm test".\n' +
      'On macOS and Windows (WSL), and after "npm ci --omit=optional", install Node 24: https://nodejs.org\n',
  );
  process.exit(1);
}

// Later starts reuse the compiled TypeScript and packages, which halves their time. They are kept beside the packages, and
// go when those go. Where nothing can be written there, or NODE_COMPILE_CACHE names a place, Node chooses.
const beside = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
const isNamed = process.env['NODE_COMPILE_CACHE'] !== undefined;
const { FAILED } = module.constants.compileCacheStatus;
if (isNamed || module.enableCompileCache(beside).status === FAILED) module.enableCompileCache();

// A first start takes the types out of every file, with WebAssembly that Node brings along. V8 would optimize that code
// meanwhile, which costs more time than it saves, and 14 MiB. Code gets its budget when it is loaded. The flag is back
// at its default before anything else is compiled: compiled code is reused under the same flags only.
const compiled = module.getCompileCacheDir();
if (compiled === undefined || readdirSync(compiled).length === 0) {
  const v8 = await import('node:v8');
  v8.setFlagsFromString('--wasm-tiering-budget=1000000000');
  await import('../src/snowflake.ts');
  v8.setFlagsFromString('--wasm-tiering-budget=13000000');
}

// zod loads its messages in sixty languages, of which none is ever asked for. They would be a tenth of a start.
const hooks = module.registerHooks({
  resolve: (name, context, next) =>
    name === '../locales/index.js' && context.parentURL?.includes('/zod/')
      ? { url: 'data:text/javascript,', shortCircuit: true }
      : next(name, context),
});
await import('zod');
hooks.deregister();
