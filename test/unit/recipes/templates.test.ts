import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

import { fillTemplate } from '../../../src/recipes/code/templates.ts';
import { discordJs } from '../../../src/recipes/code/discord-js.ts';
import { discordPy } from '../../../src/recipes/code/discord-py.ts';
import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_OPERATIONS } from '../../../src/recipes/recipe-operations.ts';

const read = (file: string) =>
  readFileSync(new URL(`../../../src/recipes/templates/${file}`, import.meta.url), 'utf8');

const isPythonMissing = spawnSync('python3', ['--version']).error !== undefined;

/** Prints the names that each of the given programs imports and does not use, as JSON. */
const UNUSED_IMPORTS = `
import ast, json, sys
def unused(code):
    nodes = list(ast.walk(ast.parse(code)))
    imported = {(name.asname or name.name).split(".")[0] for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for name in node.names}
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return sorted(imported - used)
print(json.dumps([unused(code) for code in json.load(sys.stdin)]))
`;

const code = (writer: typeof discordPy, operation: (typeof RECIPE_OPERATIONS)[number]) =>
  writeRecipe(writer, { operation, publicUrl: 'https://qm.example', key: 'YOUR_API_KEY', fields: {} }).code;

/** The programs in the guide to recipes. */
function pythonOfGuide(): string[] {
  const guide = readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8');
  return [...guide.matchAll(/^```py\n(.*?)^```$/gms)].map(([, program = '']) => program);
}

test.skipIf(isPythonMissing)('a program in Python imports only what it uses', () => {
  const programs = [...RECIPE_OPERATIONS.map((operation) => code(discordPy, operation)), ...pythonOfGuide()];
  expect(programs.length).toBeGreaterThan(RECIPE_OPERATIONS.length);
  const { stdout, stderr } = spawnSync('python3', ['-c', UNUSED_IMPORTS], {
    input: JSON.stringify(['import asyncio, os\nasyncio.run(None)', ...programs]),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([['os'], ...programs.map(() => [])]);
});

test.each(RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const))(
  'the code for %s sends no token of a bot for its own server',
  (_name, operation) => {
    for (const writer of [discordJs, discordPy]) expect(code(writer, operation)).not.toMatch(/\btoken\b/i);
  },
);

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

  test('throws when a placeholder has no value', () => {
    expect(() => fillTemplate('discord-py.py', new Set(), { COMMAND: 'x' })).toThrow('no value for QM_');
  });

  test('does not replace placeholders inside a value', () => {
    const words = {
      FIELD: 'text',
      URL: 'QM_FIELDS $& $1',
      FIELDS: '{}',
      UNREACHABLE: '',
      FORBIDDEN: '',
      FAILED: '',
    };
    const code = fillTemplate('discord-py.py', new Set(), { COMMAND: 'x', ...words });
    expect(code).toContain('endpoint = QM_FIELDS $& $1\n');
  });
});
