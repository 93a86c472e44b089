// Plain JavaScript on purpose: it has to run, and explain what is wrong, on a Node that cannot run TypeScript.
import module from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 11)) {
  process.stderr.write(
    `Quartermaster needs Node 24.11 or newer; this is Node ${process.versions.node}.\n` +
      'On Linux (x64, arm64) "npm ci" brings its own runtime, which the npm scripts use: run "npm start", "npm test".\n' +
      'On macOS and Windows (WSL), and after "npm ci --omit=optional", install Node 24: https://nodejs.org\n',
  );
  process.exit(1);
}

// Later starts reuse the compiled TypeScript and packages, which halves their time.
module.enableCompileCache?.();
