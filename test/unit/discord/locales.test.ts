import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { problemMessage } from '../../../src/discord/messages/problem-message.ts';
import {
  LANGUAGES,
  languageOf,
  TEXTS,
  TRANSLATED_LOCALES,
  type Language,
} from '../../../src/discord/locales/languages.ts';
import { translatorFor, type TranslationKey } from '../../../src/discord/locales/translator.ts';
import { KEY_BUILDERS } from '../../../src/recipes/builders.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { firstRecipe } from '../../../src/recipes/first-recipe.ts';
import STEPS from '../../../src/recipes/steps.en.json' with { type: 'json' };
import type { StepKey } from '../../../src/recipes/steps.ts';
import {
  fillPlaceholders,
  Problem,
  STATUSES,
  type ProblemCode,
  type ProblemTextKey,
} from '../../../src/kernel/problem.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const localeOf = (language: Language) =>
  TRANSLATED_LOCALES.find((each) => each.language === language)?.locale ?? 'en-US';

/** Texts that are right although they are the same in English. */
const COGNATES: Readonly<Partial<Record<Language, readonly string[]>>> = {
  de: ['split.embeds'],
  es: ['split.embeds'],
  fr: ['permissions.heading', 'base64.now', 'base64.image', 'split.messages', 'split.embeds'],
  'pt-BR': ['base64.image', 'split.embeds'],
};

/** Discord's limits: buttons 80, titles and labels of forms 45, placeholders 100 and 150, rows of the usage table. */
const LENGTHS: Readonly<Record<string, number>> = {
  cancel: 80,
  'share.button': 80,
  'share.notify': 80,
  // A user name has up to 32 characters.
  'share.byName': 80 - 32 + '{name}'.length,
  'keys.savedIt': 80,
  'keys.rotate': 80,
  'keys.revoke': 80,
  'keys.newer': 80,
  'keys.older': 80,
  'keys.confirmRevokeButton': 80,
  'keys.confirmRotateButton': 80,
  'keys.overlap': 150,
  'help.inviteButton': 80,
  'help.docs': 80,
  'parse.json': 80,
  'split.formTitle': 45,
  'split.formLabel': 45,
  'split.formPlaceholder': 100,
  'usage.today': 5,
  'usage.month': 4,
  'usage.deletedKey': 12,
  'usage.otherKeys': 12,
};
/** The most that a text display takes, with room for what fills its places and for what is beside it. */
const TEXT_LENGTH_MAX = 700;
const PLURAL_FORM = /_(?:zero|one|two|few|many|other)$/;

interface Tree {
  readonly [key: string]: string | Tree;
}

function* textsIn(tree: Tree, prefix = ''): Generator<readonly [key: string, text: string]> {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') yield [`${prefix}${key}`, value];
    else yield* textsIn(value, `${prefix}${key}.`);
  }
}

interface NamedTexts {
  readonly name: string;
  readonly options?: Readonly<Record<string, NamedTexts>>;
}

/** Names as somebody types them: `/permissions decode` for each command, and the name of each option. */
function* namesIn(levels: Readonly<Record<string, NamedTexts>>, path = '/'): Generator<string> {
  for (const { name, options = {} } of Object.values(levels)) {
    yield name;
    yield `${path}${name}`;
    yield* namesIn(options, `${path}${name} `);
  }
}

const isShown = new Set(
  [...KEY_BUILDERS, 'automation' as const].flatMap((builder) =>
    OPERATIONS.flatMap(({ name }) => firstRecipe(builder, 'https://api.example', [name])?.steps ?? []).map(
      ({ key }) => `steps.${key}`,
    ),
  ),
);
/** English, with those steps of recipes that a message with a new key shows: the others are on English pages. */
const ENGLISH = new Map([
  ...textsIn({ ...TEXTS.en, steps: {} }),
  ...[...textsIn({ steps: STEPS })].filter(([key]) => isShown.has(key)),
]);
const textsOf = (language: Language) => (language === 'en' ? ENGLISH : new Map(textsIn(TEXTS[language])));
const withoutForm = (key: string) => key.replace(PLURAL_FORM, '');
/** Texts of the whole file by their keys without plural forms. */
const keysOf = (texts: ReadonlyMap<string, string>) => [...new Set([...texts.keys()].map(withoutForm))];

function placesOf(text: string): string {
  return [...new Set(Array.from(text.matchAll(/\{\w+\}/g), ([place]) => place))].toSorted().join(' ');
}

/** What is in italics or in code. */
function markedIn(text: string): string {
  return Array.from(text.matchAll(/\*[^*]+\*|`[^`]+`/g), ([part]) => part)
    .toSorted()
    .join();
}

/** The names of all places. */
const PLACES = [...new Set([...ENGLISH.values()].flatMap((text) => placesOf(text).split(' ')))].map((place) =>
  place.slice(1, -1),
);

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = textsOf(language);

  test('are complete, without unknown keys', () => {
    expect(keysOf(texts).toSorted()).toEqual(keysOf(ENGLISH).toSorted());
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('differ from those of English', () => {
    const same = [...texts]
      .filter(([key, text]) => !key.startsWith('commands.') && text === ENGLISH.get(key))
      .map(([key]) => key)
      .filter((key) => COGNATES[language]?.includes(withoutForm(key.replace('answers.', ''))) !== true);
    expect(language === 'en' ? [] : same, 'translate it, or list it in COGNATES').toEqual([]);
  });

  test('have the placeholders of English in each plural form', () => {
    const different = [...texts].filter(([key, text]) => {
      const english = ENGLISH.get(key) ?? ENGLISH.get(`${withoutForm(key)}_other`) ?? '';
      return placesOf(text) !== placesOf(english);
    });
    expect(different).toEqual([]);
  });

  test('have every plural form of the language, and no other', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const plurals = new Set([...texts.keys()].filter((key) => PLURAL_FORM.test(key)).map(withoutForm));
    const lacking = [...plurals].flatMap((key) =>
      pluralCategories.map((form) => `${key}_${form}`).filter((each) => !texts.has(each)),
    );
    const foreign = [...texts.keys()].filter(
      (key) =>
        PLURAL_FORM.test(key) && !pluralCategories.some((form) => key === `${withoutForm(key)}_${form}`),
    );
    expect({ lacking, foreign }).toEqual({ lacking: [], foreign: [] });
    expect(plurals.size).toBeGreaterThan(0);
  });

  test('fit the limits of Discord', () => {
    const long = [...texts].filter(
      ([key, text]) => text.length > (LENGTHS[key.replace('answers.', '')] ?? TEXT_LENGTH_MAX),
    );
    expect(long).toEqual([]);
  });

  test("keep a builder's buttons and code in steps untranslated", () => {
    const different = [...texts].filter(
      ([key, text]) => key.startsWith('steps.') && markedIn(text) !== markedIn(ENGLISH.get(key) ?? ''),
    );
    expect(different).toEqual([]);
  });

  test('name commands and options as its commands do', () => {
    const names = new Set(namesIn(TEXTS[language].commands));
    const unknown = [...texts]
      .filter(([key]) => key.startsWith('problems.'))
      .flatMap(([key, text]) => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => [key, name]))
      .filter(([, name = '']) => !names.has(name));
    expect(unknown).toEqual([]);
  });

  test('fit every possible problem into a message that Discord accepts', () => {
    const locale = localeOf(language);
    const translator = translatorFor(locale);
    for (const code of Object.keys(STATUSES) as ProblemCode[]) {
      const shown = JSON.stringify(problemMessage(new Problem(code), '1'.repeat(19), locale).components);
      const key = code in TEXTS.en.problems ? (code as 'busy') : 'internal';
      expect(shown).toContain(JSON.stringify(translator.problem(key, {}).error).slice(1, -1));
      expect(shown.length).toBeLessThan(2_000);
    }
    const keys = [...ENGLISH.keys()].filter((key) => /^problems\..*\.error$/.test(key));
    for (const key of keys.map(
      (each) => each.slice('problems.'.length, -'.error'.length) as ProblemTextKey,
    )) {
      const values = Object.fromEntries(PLACES.map((place) => [place, 'x'.repeat(100)]));
      const { error, hint } = translator.problem(key, values);
      const problem = new Problem(key, { values });
      const shown = JSON.stringify(problemMessage(problem, '1'.repeat(19), locale).components);
      const said = JSON.stringify([`**${error}**`, ...(hint === null ? [] : [hint])].join('\n'));
      expect(shown).toContain(said.slice(1, -1));
      expect(shown).not.toMatch(/\{\w+\}/);
    }
  });

  test('show the values of placeholders as they were typed', () => {
    const translator = translatorFor(localeOf(language));
    const hostile = '{part} {name} {n} $t(answers.cancel) $t(cancel) {{name}} $& $1 &amp; <b>';
    const wrong: string[] = [];
    for (const [key, english] of ENGLISH) {
      const places = Array.from(english.matchAll(/\{(\w+)\}/g), ([, place = '']) => place);
      if (places.length === 0) continue;
      const [section = '', ...rest] = withoutForm(key).split('.');
      // A plural follows its number, which nobody types.
      const typed = places.filter((place) => place !== 'n' || !PLURAL_FORM.test(key));
      const filled = Object.fromEntries(typed.map((place): [string, string] => [place, hostile]));
      const values = { n: 5, ...filled };
      const name = rest.join('.');
      const show = () => {
        if (section === 'answers') return translator.translate(name as TranslationKey, values);
        if (section === 'commands') return translator.command(name, values);
        if (section === 'steps') {
          const text = language === 'en' ? fillPlaceholders(english, filled, String) : '';
          return translator.step({ kind: 'do', key: name as StepKey, values: filled, text });
        }
        const problem = translator.problem(rest.slice(0, -1).join('.') as ProblemTextKey, values);
        return problem[rest.at(-1) as 'error' | 'hint'];
      };
      const shown = show();
      const isWhole = typed.length === 0 || shown?.includes(hostile) === true;
      if (!isWhole || /\{\w+\}/.test(shown?.replaceAll(hostile, '') ?? '')) wrong.push(key);
    }
    expect(wrong).toEqual([]);
  });
});

test('every step belongs to a recipe', () => {
  const source = globSync('src/recipes/**/*.ts', { cwd: ROOT })
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
    .join('');
  const steps = keysOf(new Map(textsIn(STEPS)));
  expect(steps.filter((key) => !source.includes(`'${key}'`))).toEqual([]);
});

test('every text is used', () => {
  const source = globSync('src/discord/{commands,interactions,messages}/**/*.ts', { cwd: ROOT })
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
    .join('');
  const inGroups = /^(?:operation|reveals|why)\.|^usage\.(?:ok|refused|limited|failed)$/;
  const unused = keysOf(new Map(textsIn(TEXTS.en.answers))).filter(
    (key) => !source.includes(`'${key}'`) && !inGroups.test(key),
  );
  expect(unused).toEqual([]);
});

describe('numbers, times and lists', () => {
  test.each([
    ['en-US', 604_800, '7 days'],
    ['en-GB', 5_400, '1 hour and 30 minutes'],
    ['de', 604_800, '7 Tage'],
    ['de', 90_061, '1 Tag, 1 Stunde, 1 Minute und 1 Sekunde'],
    ['fr', 86_400, '1\u00A0jour'],
    ['es-419', 7_200, '2 horas'],
    ['pt-BR', 60, '1 minuto'],
    ['tr', 604_800, '7 gün'],
    ['ru', 432_000, '5 дней'],
    ['ru', 172_800, '2 дня'],
    ['ja', 0, '0 seconds'],
  ])('%s says %i seconds as "%s"', (locale, seconds, text) => {
    expect(translatorFor(locale).duration(seconds)).toBe(text);
  });

  test.each([
    ['en-US', 1, '### 1 permission'],
    ['en-US', 1_234, '### 1,234 permissions'],
    ['de', 1_234, '### 1.234 Berechtigungen'],
    ['fr', 0, '### 0 permission'],
    ['ru', 1, '### 1 право'],
    ['ru', 3, '### 3 права'],
    ['ru', 11, '### 11 прав'],
    ['ru', 22, '### 22 права'],
  ])('%s uses the right plural form for %i', (locale, n, text) => {
    expect(translatorFor(locale).translate('permissions.heading', { n })).toBe(text);
  });

  test('use the language of the client, or English if there is no translation', () => {
    expect(['es-419', 'es-ES', 'pt-BR', 'en-GB', 'ja', 'de'].map((locale) => languageOf(locale))).toEqual([
      'es',
      'es',
      'pt-BR',
      'en',
      'en',
      'de',
    ]);
  });
});

describe('user input', () => {
  test('is inserted as it is, even if it looks like a placeholder', () => {
    expect(translatorFor('de').translate('keys.created', { name: '{name} $& {at}' })).toBe(
      '### Schlüssel {name} $& {at} erstellt',
    );
  });

  test('is cut when it would be longer than a message', () => {
    const problem = new Problem('unknown_permission/misspelt', {
      values: { names: 'x'.repeat(9_000), nearest: 'y'.repeat(9_000) },
    });
    expect(JSON.stringify(problemMessage(problem, '1', 'ru')).length).toBeLessThan(2_000);
  });
});

test('a problem keeps its English sentence for the log', () => {
  const problem = new Problem('not_found/key_name', { values: { name: 'demo' }, cause: 'inner' });
  expect(problem.message).toBe('There is no key demo in this server.');
  expect(problem.cause).toBe('inner');
});
