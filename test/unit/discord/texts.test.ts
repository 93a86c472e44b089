import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { SpokenProblem } from '../../../src/discord/messages/spoken-problem.ts';
import { problemMessage } from '../../../src/discord/messages/problem-message.ts';
import { CATALOGUE } from '../../../src/discord/texts/catalogue.ts';
import { LOCALES, languageOf, TRANSLATED, type Language } from '../../../src/discord/texts/languages.ts';
import type { Forms } from '../../../src/discord/texts/text.ts';
import { wordsFor } from '../../../src/discord/texts/words.ts';
import { PROBLEMS, Problem, type ProblemCode } from '../../../src/problem.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const LANGUAGES: readonly Language[] = ['en', ...TRANSLATED];
const localeOf = (language: Language) => (language === 'en' ? 'en-US' : LOCALES[language][0]);

/** Texts that are right although they are the same in English. */
const COGNATES: Readonly<Record<string, readonly string[]>> = {
  fr: ['permissions.heading', 'base64.now', 'base64.image'],
  'pt-BR': ['base64.image'],
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
/** What a text display takes at most, with room for what fills its places and for what is beside it. */
const TEXT_LENGTH_MAX = 700;

function formsOf(text: string | Forms): readonly string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

function placesOf(text: string): string {
  return [...new Set(Array.from(text.matchAll(/\{\w+\}/g), ([place]) => place))].toSorted().join(' ');
}

/** All texts of a language by key; problems with their two sentences. */
function textsOf(language: Language): ReadonlyMap<string, string | Forms> {
  const { answers, problems } = CATALOGUE[language];
  return new Map([
    ...Object.entries(answers),
    ...Object.entries(problems).flatMap(([key, sentences]) =>
      [...sentences].map(
        (sentence, index) => [`${key} ${index === 0 ? 'error' : 'hint'}`, sentence] as const,
      ),
    ),
  ]);
}

const ENGLISH = textsOf('en');

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = textsOf(language);

  test('are all there, in the order of English', () => {
    expect([...texts.keys()]).toEqual([...ENGLISH.keys()]);
    expect([...texts].filter(([, text]) => formsOf(text).some((form) => form.trim() === ''))).toEqual([]);
  });

  test('are not those of English', () => {
    const same = [...texts]
      .filter(([key, text]) => formsOf(text).every((form) => formsOf(ENGLISH.get(key) ?? '').includes(form)))
      .map(([key]) => key)
      .filter((key) => COGNATES[language]?.includes(key) !== true);
    expect(language === 'en' ? [] : same).toEqual([]);
  });

  test('have the places of English, in each of their forms', () => {
    const different = [...texts].flatMap(([key, text]) => {
      const [english = ''] = formsOf(ENGLISH.get(key) ?? '');
      return formsOf(text).filter((form) => placesOf(form) !== placesOf(english));
    });
    expect(different).toEqual([]);
  });

  test('have a form for every whole number', () => {
    const rules = new Intl.PluralRules(language);
    const needed = new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)));
    const lacking = [...texts].filter(
      ([, text]) => typeof text !== 'string' && [...needed].some((form) => !(form in text)),
    );
    expect(lacking).toEqual([]);
  });

  test('are no longer than Discord takes', () => {
    const long = [...texts].filter(([key, text]) =>
      formsOf(text).some((form) => form.length > (LENGTHS[key] ?? TEXT_LENGTH_MAX)),
    );
    expect(long).toEqual([]);
  });

  test('say every problem that can come up, in a message that Discord takes', () => {
    const words = wordsFor(localeOf(language));
    for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
      const { components } = problemMessage(new Problem(code), '1'.repeat(19), localeOf(language));
      const shown = JSON.stringify(components);
      const key = code in CATALOGUE.en.problems ? (code as 'busy') : 'internal';
      expect(shown).toContain(JSON.stringify(words.problem(key, {}).error).slice(1, -1));
      expect(shown.length).toBeLessThan(2_000);
    }
  });
});

test('every text is used', () => {
  const source = globSync('src/discord/{commands,interactions,messages}/**/*.ts', { cwd: ROOT })
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
    .join('');
  const inGroups = /^(?:operation|tells|note|why)\.|^usage\.(?:ok|refused|limited|failed)$/;
  const unused = Object.keys(CATALOGUE.en.answers).filter(
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
    expect(wordsFor(locale).duration(seconds)).toBe(text);
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
  ])('%s has the right form for %i', (locale, n, text) => {
    expect(wordsFor(locale).say('permissions.heading', { n })).toBe(text);
  });

  test('the language is that of the client, and English where we do not speak it', () => {
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

describe('what somebody typed', () => {
  test('is put into a text as it is, places and all', () => {
    expect(wordsFor('de').say('keys.created', { name: '{name} $& {at}' })).toBe(
      '### Schlüssel {name} $& {at} erstellt',
    );
  });

  test('is cut where it would be longer than a message', () => {
    const problem = new Problem('unknown_permission', {
      detail: {
        kind: 'permissions_misspelt',
        values: { names: 'x'.repeat(9_000), nearest: 'y'.repeat(9_000) },
      },
    });
    expect(JSON.stringify(problemMessage(problem, '1', 'ru')).length).toBeLessThan(2_000);
  });
});

test('a problem keeps its English sentence for the log', () => {
  const problem = SpokenProblem.of('not_found', 'key_not_found', { name: 'demo' });
  expect(problem.message).toBe('There is no key demo in this server.');
  expect(problem.because('inner').cause).toBe('inner');
});
