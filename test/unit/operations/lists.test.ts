import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { leavesOf } from '../../../src/discord/commands/command-leaves.ts';
import { isMessageCommand, isSlashCommand } from '../../../src/discord/commands/command.ts';
import { COMMANDS } from '../../../src/discord/commands/index.ts';
import { LANGUAGES, TEXTS } from '../../../src/discord/locales/languages.ts';
import { Translator } from '../../../src/discord/locales/translator.ts';
import { problemMessage } from '../../../src/discord/messages/problem-message.ts';
import { PRESENTATIONS } from '../../../src/http/docs/operations/presentations.ts';
import { problemFromIssues } from '../../../src/operations/input-problem.ts';
import { toObjectSchema } from '../../../src/http/openapi/json-schema.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { permissionCheck } from '../../../src/operations/permission-check/operation.ts';
import { permissionLabel } from '../../../src/operations/permissions/permission-labels.ts';
import { PERMISSIONS } from '../../../src/operations/permissions/permission-table.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import {
  sentenceOf,
  type Problem,
  type ProblemCode,
  type ProblemTextKey,
} from '../../../src/kernel/problem.ts';
import sentences from '../../../src/kernel/problems.en.json' with { type: 'json' };
import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import { withRecipe } from '../../../src/recipes/recipe-operations.ts';

// What an operation still lacks, each with the file to open. Other tests find what is wrong in these files.

const ROOT = path.resolve(import.meta.dirname, '../../..');
const COMMAND_LIST = 'src/discord/commands/index.ts';
const LOCALES = 'src/discord/locales';

interface Level {
  readonly name: string;
  /** 1 and 2 are subcommands and groups of them. */
  readonly type?: number;
  readonly description?: string;
  readonly required?: boolean;
  readonly options?: readonly Level[];
}

const RECIPES = 'src/recipes/recipe-operations.ts';
const PRESENTATIONS_FOLDER = 'src/http/docs/operations';

const readPage = (page: string) => readFileSync(path.join(ROOT, page), 'utf8');

/** What somebody may type into an option. */
const TYPED = [
  '12',
  '-1',
  '0',
  '99999999999',
  'abc',
  '@everyone',
  '{user_id}',
  'x'.repeat(5_000),
  'SEND_MESSAGES',
  Array.from({ length: 200 }, (_, n) => `1000000000000000${n + 100}`).join(','),
];

/** What the fields of an operation refuse. */
function* refusalsOf({ input, example }: Operation): Generator<Problem> {
  for (const field of Object.keys(input.shape)) {
    for (const typed of TYPED) {
      const given = { ...example.input, [field]: typed };
      const { error } = input.safeParse(given);
      if (error !== undefined) yield problemFromIssues(error.issues, given);
    }
    const { [field]: _, ...without } = example.input;
    const { error } = input.safeParse(without);
    if (error !== undefined) yield problemFromIssues(error.issues, without);
  }
}

/** Where the texts of a command and of all its options are; numbered options share theirs. */
function* pathsOf(level: Level, prefix = ''): Generator<string> {
  const own = `${prefix}${level.name}`.replace(/_\d+$/, '_n');
  yield `${own}.name`;
  if (level.description !== undefined) yield `${own}.description`;
  for (const option of level.options ?? []) yield* pathsOf(option, `${own}.options.`);
}

const uncapitalise = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** True for sentences about what only callers of the API can send. */
function isForCallersOnly(key: string): boolean {
  return Object.entries(sentences).some(([name, sentence]) => name === key && 'only' in sentence);
}

/** Rows of a table that lack, each with the file to open. A row may say more behind its beginning. */
function missingRows(page: string, beginnings: readonly string[]): readonly string[] {
  const lines = readPage(page).split('\n');
  return beginnings
    .filter((row) => !lines.some((line) => line.startsWith(row)))
    .map((row) => `${page}: a row that begins with ${row}`);
}

/** How a command is typed: `permissions encode permission … [client_id]`. */
function usageOf({ options = [] }: Level, path: string): string {
  const typed = options.map(({ name, required = false }) => {
    const shown = required ? name : `[${name}]`;
    return /_\d+$/.test(name) ? '…' : shown;
  });
  return [path, ...new Set(typed)].join(' ');
}

/** The command or the subcommand at a path. */
function levelAt(data: Level, path: string): Level {
  const names = path.split(' ').slice(1);
  return names.reduce((level, name) => level.options?.find((each) => each.name === name) ?? level, data);
}

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    const file = `src/operations/${name}/operation.ts`;

    test('is in the folder of its name', () => {
      expect(existsSync(path.join(ROOT, file)) ? [] : [`${file} is missing`]).toEqual([]);
    });

    test('has an example that matches its input and its output', () => {
      const { input, answer } = operation.example;
      const required = Object.keys(operation.input.shape).filter(
        (field) => operation.input.shape[field]?.safeParse(undefined).success === false,
      );
      const missing = [
        ...required.filter((field) => !(field in input)).map((field) => `${file}: example.input.${field}`),
        ...Object.keys(operation.output.shape)
          .filter((key) => !(key in answer) && !operation.output.shape[key]?.safeParse(undefined).success)
          .map((key) => `${file}: example.answer.${key}`),
      ];
      expect(missing).toEqual([]);
      expect(operation.input.safeParse(input).error).toBeUndefined();
    });

    test('marks a field as required in all documents if it refuses a call without it', () => {
      const { required } = toObjectSchema(operation.input, 'input');
      const optional = Object.keys(operation.input.shape).filter(
        (field) =>
          operation.input.shape[field]?.safeParse(undefined).success === false && !required.includes(field),
      );
      const why = 'may be left out in all documents, as zod says of a field that begins with z.preprocess';
      expect(optional.map((field) => `${file}: ${field} ${why}`)).toEqual([]);
    });

    test('has texts for its page, at most six highlighted keys, and a showcase with valid inputs', () => {
      const page = `${PRESENTATIONS_FOLDER}/${name}.ts`;
      const presentation = PRESENTATIONS.get(name);
      expect(presentation === undefined ? [`${page}, and its line in presentations.ts`] : []).toEqual([]);
      const { shown = [], inOut = [], showcase = {} } = presentation ?? {};
      expect(shown.length, `${page}: shown`).toBeLessThanOrEqual(6);
      expect(inOut.join(' → ').length, `${page}: inOut`).toBeLessThanOrEqual(40);
      const refused = Object.entries(showcase).filter(([, each]) => !operation.input.safeParse(each).success);
      expect(refused.map(([label]) => `${page}: showcase.${label}`)).toEqual([]);
    });

    test('has a recipe for every builder, or whole flows, if a field can be filled in', () => {
      const takesFields = Object.keys(operation.input.shape).length > 0;
      const hasFlows = readPage('docs/recipes.md').includes(operation.path);
      const found = withRecipe(operation);
      const lacking =
        found === null
          ? []
          : Object.entries(RECIPE_WRITERS).filter(([, writer]) => {
              const { code } = writeRecipe(writer, {
                operation: found,
                publicUrl: 'https://qm.example',
                key: 'KEY',
                fields: {},
              });
              return !code.includes(`https://qm.example${operation.path}`);
            });
      expect([
        ...lacking.map(([id]) => `src/recipes/: the recipe of ${id}`),
        ...(found === null && takesFields && !hasFlows ? [`${RECIPES}: ${name}`] : []),
        // A visual builder has a reply for each, and the page shows one.
        ...(Array.isArray(found?.recipe.use) && found.recipe.use.length !== 1
          ? [`${RECIPES}: one key in use of ${name}`]
          : []),
      ]).toEqual([]);
    });

    test('requires in its recipe a permission, unless it only shows data about the user', () => {
      const recipe = withRecipe(operation)?.recipe;
      const isOpen = recipe?.permission === null;
      const isHarmless =
        typeof recipe?.use !== 'string' && (!operation.aboutMembers || recipe?.filledBy === 'user');
      expect(isOpen && !isHarmless ? [`${RECIPES}: permission of ${name}`] : []).toEqual([]);
    });

    test('is about members if it reads the members of a server', () => {
      const reads = 'guild_id' in operation.input.shape;
      expect(operation.aboutMembers === reads ? [] : [`${file}: aboutMembers`]).toEqual([]);
    });

    test('can be used by a command unless it says why not, and is described in Discord in each language', () => {
      const isUsed = COMMANDS.some(({ operations }) => operations.includes(operation));
      const hasReason = (operation.noCommandReason ?? '') !== '';
      const groups = operation.aboutMembers ? (['operation', 'reveals'] as const) : (['operation'] as const);
      expect([
        ...(isUsed === hasReason ? [`${COMMAND_LIST}: a command for ${name}`] : []),
        ...LANGUAGES.flatMap((language) =>
          groups
            .filter((group) => !(name in TEXTS[language].answers[group]))
            .map((group) => `${LOCALES}/${language}.json: answers.${group}.${name}`),
        ),
      ]).toEqual([]);
    });

    test('explains in each language every way in which a field can be wrong', () => {
      const isSpoken = (key: string) => operation.noCommandReason === null && !isForCallersOnly(key);
      const missing = [...refusalsOf(operation)].flatMap(({ key, field }) =>
        key.includes('/')
          ? LANGUAGES.filter((language) => isSpoken(key) && !(key in TEXTS[language].problems)).map(
              (language) => `${LOCALES}/${language}.json: problems["${key}"], for ${field}`,
            )
          : [`${file}: ${field} says no more than ${key}`],
      );
      expect([...new Set(missing)]).toEqual([]);
    });

    test('has a summary that lists can show', () => {
      expect(operation.summary, `${file}: summary`).toMatch(/^[A-Z][^\n]{9,99}(?<!\.)$/);
    });

    test('is in the tables of operations with its summary, has a section of its own, and is listed as new', () => {
      const { method, path: address, summary } = operation;
      const api = readPage('docs/api.md');
      const anchor = new RegExp(`^\\| \\[${name}\\]\\(#([\\w-]+)\\)`, 'm').exec(api)?.[1] ?? name;
      const headings = (api.match(/(?<=^## ).*$/gm) ?? []).map((heading) =>
        heading.toLowerCase().replaceAll(' ', '-'),
      );
      const does = uncapitalise(summary);
      expect([
        ...missingRows('README.md', [`| [${name}](docs/api.md#${anchor}) | ${does}`]),
        ...missingRows('docs/api.md', [`| [${name}](#${anchor}) | \`${method} ${address}\` | ${does}`]),
        ...(headings.includes(anchor) ? [] : [`docs/api.md: the section ## ${anchor}`]),
        ...(readPage('docs/changelog.md').includes(name) ? [] : [`docs/changelog.md: ${name}`]),
      ]).toEqual([]);
    });
  },
);

test('a hint that names the path of an operation names its tool to language models', () => {
  const wrong = (Object.keys(sentences) as ProblemTextKey[]).filter((key) => {
    const { hint, toolHint } = sentenceOf(key);
    return OPERATIONS.some(
      ({ name, path }) =>
        hint?.includes(path) === true &&
        (toolHint?.includes(path) === true || !toolHint?.includes(`tool ${name} `)),
    );
  });
  expect(wrong.map((key) => `src/kernel/problems.en.json: tool_hint of ${key}`)).toEqual([]);
});

test('a hint that says how a server admin creates a key says how an operator does, who may run it without Discord', () => {
  const wrong = (Object.keys(sentences) as ProblemTextKey[]).filter((key) => {
    const { hint } = sentenceOf(key);
    return hint?.includes('/settings key create') === true && !hint.includes('npm run key');
  });
  expect(wrong.map((key) => `src/kernel/problems.en.json: hint of ${key}`)).toEqual([]);
});

test('a hint about a secret header tells language models that only the user can set it', () => {
  const wrong = (Object.keys(sentences) as ProblemTextKey[]).filter((key) => {
    // These are about a whole HTTP request, before any tool.
    if (/^(?:key_|secret_in_url)/.test(key)) return false;
    const toolHint = sentenceOf(key).toolHint ?? '';
    return (
      /\b(?:Token|Webhooks?)\b/.test(toolHint) &&
      !/\bthe user (?:sets|removes) .* MCP server\. Stop and say so\.$/i.test(toolHint)
    );
  });
  expect(wrong.map((key) => `src/kernel/problems.en.json: tool_hint of ${key}`)).toEqual([]);
});

test('a hint about something that only a person can fix tells language models to stop', () => {
  const codes: readonly ProblemCode[] = [
    'token_malformed',
    'token_attempts',
    'guild_mismatch',
    'operation_not_allowed',
    'caller_tokens_disabled',
    'discord_token_rejected',
    'discord_missing_access',
    'unknown_webhook',
  ];
  const wrong = codes.flatMap((code) => {
    const keys = (Object.keys(sentences) as ProblemTextKey[]).filter((key) => key.split('/')[0] === code);
    if (keys.length === 0) return [code];
    return keys.filter((key) => {
      const { hint, toolHint } = sentenceOf(key);
      return hint !== null && toolHint?.endsWith(' Stop and say so.') !== true;
    });
  });
  expect(wrong.map((key) => `src/kernel/problems.en.json: tool_hint of ${key}`)).toEqual([]);
});

test.each(COMMANDS.map(({ data }) => [data.name, data] as const))(
  'the command "%s" is translated in all its parts',
  (_name, data) => {
    const missing = LANGUAGES.flatMap((language) =>
      [...pathsOf(data as Level)]
        .filter((text) => new Translator(language).command(text, {}) === null)
        .map((text) => `${LOCALES}/${language}.json: commands.${text}`),
    );
    expect(missing).toEqual([]);
  },
);

test.each(COMMANDS.filter(isSlashCommand).map((command) => [command.data.name, command] as const))(
  'the command "%s" is in the table of commands, with its options, for whom it is, and its description',
  (_name, { data, permission }) => {
    const page = 'docs/discord.md';
    const needed = PERMISSIONS.find(({ value }) => value === permission)?.name;
    const whom = needed === undefined ? 'everybody' : permissionLabel(needed, 'en');
    const lines = readPage(page).split('\n');
    const missing = leavesOf(data).flatMap(({ path: leaf, description }) => {
      const usage = `| \`/${usageOf(levelAt(data as Level, leaf), leaf)}\` | ${whom}`;
      const does = `| ${uncapitalise(description)}`;
      // What follows the beginning of a cell explains it.
      const isThere = lines.some((line) => line.startsWith(usage) && line.includes(does));
      return isThere ? [] : [`${page}: a row with ${usage} ${does}`];
    });
    expect(missing).toEqual([]);
  },
);

test.each(COMMANDS.filter(isMessageCommand).map(({ data }) => [data.name]))(
  'the command "%s" on a message is in the table of commands',
  (name) => {
    expect(readPage('docs/discord.md').includes(`*${name}*`) ? [] : [`docs/discord.md: *${name}*`]).toEqual(
      [],
    );
  },
);

test.each(COMMANDS.filter(isSlashCommand).map(({ data: { name } }) => [name]))(
  'the command "%s" is in the table of commands of the README',
  (name) => {
    const isThere = new RegExp(`^\\|.*\`/${name}\\b`, 'm').test(readPage('README.md'));
    expect(isThere ? [] : [`README.md: a row with /${name}`]).toEqual([]);
  },
);

test.each(LANGUAGES.map((language) => [language]))(
  'an id of two digits is refused as one, in %s',
  (language) => {
    const { input } = permissionCheck;
    const given = { user_id: '12', permission: 'SEND_MESSAGES' };
    const problem = problemFromIssues(input.safeParse(given).error?.issues ?? [], given);
    const shown = JSON.stringify(problemMessage(problem, '1', language));
    expect(shown).toMatch(/user_id.*Discord.*17.*20/);
  },
);
