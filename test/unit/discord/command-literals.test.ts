import {
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
  type LocalizationMap,
} from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { COMMANDS, COMPONENT_ACTIONS } from '../../../src/discord/commands/index.ts';
import { toRequest } from '../../../src/discord/commands/command-registry.ts';
import { TEXTS } from '../../../src/discord/locales/languages.ts';
import { LINE_LENGTH_MAX } from '../../../src/operations/parse-args/request.ts';

interface Level {
  readonly path: string;
  readonly name: string;
  readonly type?: number;
  readonly file_types?: readonly string[];
  readonly description?: string;
  readonly name_localizations?: LocalizationMap | null;
  readonly description_localizations?: LocalizationMap | null;
  readonly options?: readonly Omit<Level, 'path'>[];
  readonly choices?: readonly {
    name: string;
    value: string | number;
    name_localizations?: LocalizationMap | null;
  }[];
}

/** The texts of commands or options, by name. */
interface Texts {
  readonly [name: string]: {
    readonly name: string;
    readonly choices?: Readonly<Record<string, string>>;
    readonly options?: Texts;
  };
}

function* walk(level: Omit<Level, 'path'>, path = level.name): Generator<Level> {
  yield { ...level, path };
  for (const option of level.options ?? []) yield* walk(option, `${path} ${option.name}`);
}

const LEVELS = COMMANDS.flatMap(({ data }) => [...walk(data as Omit<Level, 'path'>)]);
const LOCALES = ['es-ES', 'es-419', 'pt-BR', 'de', 'fr', 'tr', 'ru'] as const;
/** https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming */
const NAME = /^[-_'\p{L}\p{N}]{1,32}$/u;
/** Names of builders are the same everywhere. */
const UNTRANSLATED = new Set(['settings key create builder']);

function longest(text: string, map?: LocalizationMap | null): number {
  return Math.max(text.length, ...Object.values(map ?? {}).map((each) => each?.length ?? 0));
}

/** Numbered options share their texts. */
function keyOf(name: string): string {
  return name.replace(/_\d+$/, '_n');
}

function findOption(path: string) {
  return LEVELS.find((level) => level.path === path) as { max_length?: number; type?: number } | undefined;
}

describe('names and descriptions', () => {
  test.each(LEVELS.map((level) => [level.path, level] as const))(
    'of "%s" exist in all languages and fit',
    (_path, level) => {
      const isMenu = level.description === undefined;
      const names = LOCALES.map((locale) => level.name_localizations?.[locale] ?? '');
      const descriptions = LOCALES.map((locale) => level.description_localizations?.[locale] ?? '');
      expect(names.filter((name) => !(isMenu ? /^.{1,32}$/u : NAME).test(name))).toEqual([]);
      expect(isMenu ? [] : names.filter((name) => name !== name.toLowerCase())).toEqual([]);
      expect(descriptions.filter((text) => isMenu !== (text === '') || text.length > 100)).toEqual([]);
    },
  );

  test.each(
    LEVELS.filter(({ choices, path }) => choices && !UNTRANSLATED.has(path)).map(
      (level) => [level.path, level] as const,
    ),
  )('of the choices of "%s" exist in all languages and fit', (_path, { choices = [] }) => {
    const names = choices.flatMap((choice) =>
      LOCALES.map((locale) => choice.name_localizations?.[locale] ?? ''),
    );
    expect(names.filter((name) => name === '' || name.length > 100)).toEqual([]);
  });

  test.each(LOCALES)('are unique among their neighbours in %s', (locale) => {
    const groups = [
      COMMANDS.map(({ data }) => `${data.type} ${data.name_localizations?.[locale]}`),
      ...LEVELS.map(({ options = [] }) =>
        options.map((option) => String(option.name_localizations?.[locale])),
      ),
    ];
    expect(groups.filter((names) => new Set(names).size < names.length)).toEqual([]);
  });

  test('match the English commands one to one', () => {
    const unused: string[] = [];
    const check = (texts: Texts, levels: readonly Omit<Level, 'path'>[], prefix: string) => {
      for (const [key, text] of Object.entries(texts)) {
        const level = levels.find(({ name }) => keyOf(name) === key);
        const isNamed = level !== undefined && keyOf(level.name) === text.name.replace('{n}', 'n');
        if (!isNamed) unused.push(`${prefix}${key}`);
        const values = (level?.choices ?? []).map(({ value }) => String(value));
        // Suggested while they are typed, so they are in no command.
        const suggested = key === 'operations' ? Object.keys(text.choices ?? {}) : [];
        unused.push(
          ...Object.keys(text.choices ?? {})
            .filter((value) => !values.includes(value) && !suggested.includes(value))
            .map((value) => `${prefix}${key} ${value}`),
        );
        check(text.options ?? {}, level?.options ?? [], `${prefix}${key} `);
      }
    };
    check(
      TEXTS.en.commands,
      COMMANDS.map(({ data }) => data as Omit<Level, 'path'>),
      '',
    );
    expect(unused).toEqual([]);
  });

  test('stay below 8,000 characters per command in the longest language', () => {
    for (const { data } of COMMANDS) {
      let length = 0;
      for (const level of walk(data as Omit<Level, 'path'>)) {
        length += longest(level.name, level.name_localizations);
        length += longest(level.description ?? '', level.description_localizations);
        for (const choice of level.choices ?? [])
          length += longest(choice.name, choice.name_localizations) + String(choice.value).length;
      }
      expect(length).toBeLessThan(8_000);
    }
  });
});

describe('a slash command', () => {
  // docs/discord.md says for whom each command is, and the test of the lists compares it.
  const closed = COMMANDS.filter(({ permission }) => permission !== undefined);
  const open = COMMANDS.filter(({ permission }) => permission === undefined);

  test.each(closed.map((command) => [command.data.name, command] as const))(
    '%s works only in servers that have installed the app, with a permission that code checks as well',
    (_name, { data, permission = 0n }) => {
      expect(data).toMatchObject({
        default_member_permissions: permission.toString(),
        contexts: [InteractionContextType.Guild],
        integration_types: [ApplicationIntegrationType.GuildInstall],
      });
      expect(toRequest(data)['default_member_permissions']).toBe(Number(permission));
    },
  );

  test.each(open.map((command) => [command.data.name, command] as const))(
    '%s works anywhere, for all users',
    (_name, { data }) => {
      expect(data).toMatchObject({ contexts: [0, 1, 2], integration_types: [0, 1] });
      expect(data.default_member_permissions).toBeUndefined();
    },
  );

  test('checks the permission of /settings again at each button that shows or changes keys', () => {
    const keyActions = COMPONENT_ACTIONS.filter(({ action }) => action.startsWith('key-'));
    const open = keyActions.filter(({ permission }) => permission !== PermissionFlagsBits.ManageGuild);
    // What it takes away from a message was shown to the same person.
    expect(open.map(({ action }) => action)).toEqual(['key-saved']);
  });
});

test('attachment options offer only matching file types, as many as Discord accepts', () => {
  const options = LEVELS.filter(({ type }) => type === ApplicationCommandOptionType.Attachment);
  expect(options).not.toEqual([]);
  for (const { file_types: types = [] } of options) {
    expect(types.length).toBeGreaterThan(0);
    expect(types.length).toBeLessThanOrEqual(10);
    expect(types.filter((type) => !/^(?:image|audio|video|\.[a-z]+)$/.test(type))).toEqual([]);
  }
});

describe('operations', () => {
  test('accept as much in an option of a command as over HTTP, or as much as Discord allows', () => {
    expect(findOption('parse text')?.max_length).toBe(LINE_LENGTH_MAX);
    expect(findOption('split text')?.max_length).toBe(6_000);
    expect(findOption('base64 url')?.max_length).toBe(2_048);
    expect(findOption('role-members role')?.type).toBe(ApplicationCommandOptionType.Role);
  });
});
