import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

import { ConfigError, environmentSchema } from './config.ts';
import type { Environment } from './hosting.ts';
import { describeUnknownNames } from './unknown-names.ts';

const NAME = /^[A-Za-z_]\w*$/;
/** As `parseEnv` reads it: a value in quotes may have several lines. */
const ENTRY = /^[^\S\n]*(?:export[^\S\n]+)?[A-Za-z_]\w*[^\S\n]*=[^\S\n]*(?:(["'`])[^]*?\1)?[^\n]*/gm;

/**
 * The process's environment, completed from the file `.env` in the working directory if there is one. An empty variable
 * counts as not set.
 * @param note called with a sentence, without a value, for each thing that somebody wrote and that has no effect
 * @throws ConfigError when the file exists but cannot be used
 */
export function readEnvironment(note: (sentence: string) => void = () => {}): Environment {
  const text = readEnvFile();
  // Editors and shells of Windows write UTF-16, and no setting would be found in that.
  if (text.includes('\0')) throw cannotUseFile('it is not plain text; save it as UTF-8');
  for (const line of findOtherLines(text)) note(`line ${line} of .env has no effect: it is not NAME=value`);
  // In any other line, `parseEnv` may take half a secret for a name: "STORAGE_URL:
  // postgres://user:password@host/?ssl=1".
  const file = Object.fromEntries(Object.entries(parseEnv(text)).filter(([name]) => NAME.test(name)));
  describeUnknownNames(Object.keys(process.env), Object.keys(file)).forEach(note);
  for (const [name, value] of Object.entries(file)) {
    if ((process.env[name] ?? '').trim() === '') process.env[name] = value;
    if (process.env[name] !== value && Object.hasOwn(environmentSchema.shape, name)) {
      note(`${name} in .env has no effect: the environment of this process has another value`);
    }
  }
  return process.env;
}

/** The numbers, from 1, of lines that are neither settings nor comments nor empty. */
function findOtherLines(text: string): number[] {
  const others = text.replaceAll(ENTRY, (entry) => '\n'.repeat(entry.split('\n').length - 1)).split('\n');
  return others.flatMap((line, index) => (/^\s*(#|$)/.test(line) ? [] : [index + 1]));
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
    throw cannotUseFile(reason);
  }
}

function cannotUseFile(reason: string): ConfigError {
  return new ConfigError([`.env exists but cannot be used: ${reason}`]);
}
