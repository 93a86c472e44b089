import { loadConfig } from '../src/config/config.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { runBackupCommand } from './backup/run-backup-command.ts';

// npm run --silent backup -- [--to FOLDER] [--keep COUNT]
// A copy contains only digests and counts, but it is still for its owner's eyes only.
process.umask(0o077);
process.exitCode = await runBackupCommand(process.argv.slice(2), {
  readStorageUrl: () => loadConfig(readEnvironment()).storageUrl,
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
});
