import { loadConfig } from '../src/config/config.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { runKeyCommand } from './key/run-key-command.ts';

// npm run --silent key -- create <guild_id> …
// Manages keys without Discord, also while the service is running.
process.exitCode = await runKeyCommand(process.argv.slice(2), {
  readStorageUrl: () => loadConfig(readEnvironment()).storageUrl,
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
});
