import { loadConfig } from '../src/config/config.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { runDeployCommands } from './deploy-commands/run-deploy-commands.ts';

// node scripts/deploy-commands.ts
// Registers the slash commands without starting the service, which does the same at each start.
process.exitCode = await runDeployCommands(
  () => loadConfig(readEnvironment()),
  (sentence) => void process.stderr.write(`${sentence}\n`),
);
