import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

import { fillTemplate } from '../../../src/recipes/code/templates.ts';

const read = (file: string) =>
  readFileSync(new URL(`../../../src/recipes/templates/${file}`, import.meta.url), 'utf8');

const isPythonMissing = spawnSync('python3', ['--version']).error !== undefined;

describe('a template', () => {
  test('for discord.js parses as JavaScript', () => {
    expect(parseSync('template.mjs', read('discord-js.js')).errors).toEqual([]);
  });

  test.skipIf(isPythonMissing)('for discord.py parses as Python', () => {
    const parsed = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: read('discord-py.py'),
      encoding: 'utf8',
    });
    expect([parsed.status, parsed.stderr]).toEqual([0, '']);
  });

  test.each(['discord-js.js', 'discord-py.py'])('%s closes each block that it opens', (file) => {
    const text = read(file);
    expect(text.match(/@end$/gm)?.length).toBe(text.match(/@if \w+$/gm)?.length);
  });

  test('is refused when a word has no value', () => {
    expect(() => fillTemplate('discord-py.py', new Set(), { COMMAND: 'x' })).toThrow('no value for QM_');
  });

  test('does not replace words inside a value', () => {
    const words = {
      FIELD: 'text',
      URL: 'QM_FIELDS $& $1',
      FIELDS: '{}',
      UNREACHABLE: '',
      FORBIDDEN: '',
      FAILED: '',
    };
    const code = fillTemplate('discord-py.py', new Set(), { COMMAND: 'x', ...words });
    expect(code).toContain('address = QM_FIELDS $& $1\n');
  });
});
