import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ConfigError } from '../../../src/config/config.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { isProgramMissing } from '../../fixtures/programs.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-environment-'));
  file = path.join(folder, '.env');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the settings and the notes, or the sentence of the failure. */
function read(env: Record<string, string> = {}, lines: readonly string[] = []) {
  if (lines.length > 0) writeFileSync(file, lines.join('\r\n'));
  const notes: string[] = [];
  try {
    const settings = readEnvironment((sentence) => notes.push(sentence), env, file);
    return { settings, notes };
  } catch (error) {
    if (error instanceof ConfigError) return { error: error.message };
    throw error;
  }
}

describe('the environment', () => {
  test('is completed from .env when a value is empty, as compose files and panels leave it', () => {
    const { settings } = read({ LOG_LEVEL: '', RATE_LIMIT: ' ' }, ['LOG_LEVEL=debug', 'RATE_LIMIT=7']);
    expect(settings).toMatchObject({ LOG_LEVEL: 'debug', RATE_LIMIT: '7' });
  });

  test('reports each line of .env that is no setting, only by its number', () => {
    const lines = [
      '# a comment, with = and "',
      '',
      'RATE_LIMIT=7',
      'PORT: 18260',
      'STORAGE_URL: postgres://user:hunter2@db/keys?a=b',
      '  export IMAGE_RATE_LIMIT = "8" # a comment',
      'DISCORD_TOKEN hunter2',
      'SOURCE_URL="https://git.example/',
      'hunter2"',
      "LOG_LEVEL='debug'",
    ];
    const { settings, notes } = read({ SOURCE_URL: 'https://git.example' }, lines);
    expect(notes).toEqual([
      'line 4 of .env has no effect: it is not NAME=value',
      'line 5 of .env has no effect: it is not NAME=value',
      'line 7 of .env has no effect: it is not NAME=value',
      'SOURCE_URL in .env has no effect: the environment of this process has another value',
    ]);
    expect(settings).toMatchObject({ RATE_LIMIT: '7', IMAGE_RATE_LIMIT: '8', LOG_LEVEL: 'debug' });
  });

  test('reports names that are probably misspelt, without their values', () => {
    const { notes } = read({ DISCORD_TOKN: 'hunter2' }, ['DATABASE_URL=hunter2', 'RATE_LIMITS=7']);
    expect(notes).toEqual([
      'DISCORD_TOKN is not a setting: did you mean DISCORD_TOKEN?',
      'DATABASE_URL in .env is not a setting of this service',
      'RATE_LIMITS is not a setting: did you mean RATE_LIMIT?',
    ]);
  });

  test.each([
    ['a file that is not there', {}, 'there is none of that name'],
    ['a folder', { STORAGE_URL_FILE: '.' }, 'it is a folder'],
    [
      'both forms',
      { STORAGE_URL: 'memory:' },
      'STORAGE_URL and STORAGE_URL_FILE are both set: keep one of them',
    ],
  ])('refuses a secret in %s', (_name, env, sentence) => {
    expect(read({ STORAGE_URL_FILE: 'nowhere', ...env }).error).toContain(sentence);
  });

  test.skipIf(isProgramMissing('mkfifo'))(
    'refuses secrets in a pipe and in a device, which have no end',
    () => {
      const pipe = path.join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const { error } = read({ STORAGE_URL_FILE: pipe, REDIS_URL_FILE: '/dev/zero' });
      for (const name of ['STORAGE_URL', 'REDIS_URL'])
        expect(error).toContain(`${name}_FILE names a file that cannot be used: it is not a regular file`);
    },
  );

  test('refuses an .env that is not UTF-8', () => {
    writeFileSync(file, '\uFEFFRATE_LIMIT=7\r\n', 'utf16le');
    expect(read().error).toBe(
      'The settings cannot be used:\n  .env exists but cannot be used: it is not plain text; save it as UTF-8',
    );
  });

  test('refuses an .env that is not a file', () => {
    mkdirSync(file);
    expect(read().error).toBe(
      'The settings cannot be used:\n  .env exists but cannot be used: it is a folder',
    );
  });
});
