import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

import { ConfigError, environmentSchema } from './config.ts';
import type { Environment } from './hosting.ts';
import { describeUnknownNames } from './unknown-names.ts';

/**
 * The process's environment, completed from the file `.env` in the working directory if there is one: an empty value of
 * the environment is none.
 * @param note called with a sentence, without a value, for each thing that somebody wrote and that has no effect
 * @throws ConfigError when the file exists but cannot be used
 */
export function readEnvironment(note: (sentence: string) => void = () => {}): Environment {
  const file = parseEnv(readEnvFile());
  describeUnknownNames(Object.keys(process.env), Object.keys(file)).forEach(note);
  for (const [name, value] of Object.entries(file)) {
    process.env[name] ||= value;
    if (process.env[name] !== value && Object.hasOwn(environmentSchema.shape, name)) {
      note(`${name} in .env has no effect: the environment of this process has another value`);
    }
  }
  return process.env;
}

function readEnvFile(): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync('.env', 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return '';
    const reason =
      code === 'EISDIR'
        ? 'it is a folder'
        : code === 'EACCES'
          ? 'this user may not read it'
          : `reading fails with ${String(code)}`;
    throw new ConfigError([`.env is there but cannot be used: ${reason}`]);
  }
}
