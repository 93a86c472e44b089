import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';

import { errorCodeOf } from '../kernel/error-code.ts';
import { ConfigError, environmentSchema, SETTINGS_IN_FILES } from './config.ts';
import type { Environment } from './hosting.ts';
import { describeUnknownNames } from './unknown-names.ts';

const NAME = /^[A-Za-z_]\w*$/;
/** As `parseEnv` reads it: a value in quotes may have several lines. */
const ENTRY = /^[^\S\n]*(?:export[^\S\n]+)?[A-Za-z_]\w*[^\S\n]*=[^\S\n]*(?:(["'`])[^]*?\1)?[^\n]*/gm;

/**
 * Completes `env`, the process's environment, from the file `.env` in the working directory if there is one. An empty
 * variable counts as not set.
 * @param warn called with a sentence, without a value, for each setting that has no effect
 * @throws ConfigError when the file exists but cannot be used
 */
export function readEnvironment(
  warn: (sentence: string) => void = () => {},
  env: NodeJS.ProcessEnv = process.env,
  file = '.env',
): Environment {
  const text = readEnvFile(file);
  // Editors and shells of Windows write UTF-16, and no setting would be found in that.
  if (text.includes('\0')) throw cannotUseFile('it is not plain text; save it as UTF-8');
  for (const line of findOtherLines(text)) warn(`line ${line} of .env has no effect: it is not NAME=value`);
  // In any other line, `parseEnv` may take half a secret for a name: "STORAGE_URL:
  // postgres://user:password@host/?ssl=1".
  const entries = Object.fromEntries(Object.entries(parseEnv(text)).filter(([name]) => NAME.test(name)));
  describeUnknownNames(Object.keys(env), Object.keys(entries)).forEach(warn);
  for (const [name, value] of Object.entries(entries)) {
    if ((env[name] ?? '').trim() === '') env[name] = value;
    if (env[name] !== value && Object.hasOwn(environmentSchema.shape, name)) {
      warn(`${name} in .env has no effect: the environment of this process has another value`);
    }
  }
  return withSecretFiles(env);
}

/**
 * Reads settings from files that other settings name. They stay out of the environment of the process, because its
 * children inherit that.
 */
function withSecretFiles(env: Environment): Environment {
  const read: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of SETTINGS_IN_FILES) {
    const file = (env[`${name}_FILE`] ?? '').trim();
    if (file === '') continue;
    if ((env[name] ?? '').trim() !== '') {
      problems.push(`${name} and ${name}_FILE are both set: keep one of them`);
      continue;
    }
    try {
      const kind = statSync(file);
      // Reading a pipe or a device could go on for ever.
      if (!kind.isFile() && !kind.isDirectory()) {
        problems.push(`${name}_FILE names a file that cannot be used: it is not a regular file`);
        continue;
      }
      read[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (read[name].trim() === '') problems.push(`${name}_FILE names a file that is empty`);
    } catch (error) {
      problems.push(`${name}_FILE names a file that cannot be used: ${describeReading(error)}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { ...env, ...read };
}

/** The numbers, from 1, of lines that are neither settings nor comments nor empty. */
function findOtherLines(text: string): number[] {
  const others = text.replaceAll(ENTRY, (entry) => '\n'.repeat(entry.split('\n').length - 1)).split('\n');
  return others.flatMap((line, index) => (/^\s*(#|$)/.test(line) ? [] : [index + 1]));
}

function readEnvFile(file: string): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return '';
    throw cannotUseFile(describeReading(error));
  }
}

function describeReading(error: unknown): string {
  const code = errorCodeOf(error);
  if (code === 'ENOENT') return 'there is none of that name';
  if (code === 'EISDIR') return 'it is a folder';
  return code === 'EACCES' ? 'this user may not read it' : `reading fails with ${String(code)}`;
}

function cannotUseFile(reason: string): ConfigError {
  return new ConfigError([`.env exists but cannot be used: ${reason}`]);
}
