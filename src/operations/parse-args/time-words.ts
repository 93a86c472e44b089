import { TIME_LANGUAGES, UNIT_MS, type TimeLanguage } from './time-languages.ts';
import { UnitSet } from './unit-set.ts';

/** What a word means, with the languages that have it. */
interface TimeWord {
  readonly languages: readonly TimeLanguage[];
}

export interface DurationUnit extends TimeWord {
  readonly ms: number;
  /** One letter (or `mo`): glued to its number it cannot be prose. */
  readonly isShort: boolean;
  /** Half of the unit in one word, which takes no number. */
  readonly isHalf: boolean;
}

export interface PermanentWord extends TimeWord {
  /** Counts directly after a target even when a reason follows. */
  readonly isStrong: boolean;
}

function splitWords(words: string | undefined): string[] {
  return words?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
}

/** A word as it is written, and without its accents. */
function spellingsOf(word: string): Set<string> {
  const bare = word.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i');
  // Not for Cyrillic: й without its breve is another letter.
  return new Set(/[а-я]/.test(word) ? [word, word.replaceAll('ё', 'е')] : [word, bare]);
}

function collect<Word extends TimeWord>(
  wordsOf: (language: TimeLanguage) => Iterable<readonly [word: string, meaning: Omit<Word, 'languages'>]>,
  make: (meaning: Omit<Word, 'languages'>, languages: readonly TimeLanguage[]) => Word,
): ReadonlyMap<string, Word> {
  const found = new Map<string, Word>();
  for (const language of TIME_LANGUAGES) {
    for (const [word, meaning] of wordsOf(language)) {
      for (const spelling of spellingsOf(word)) {
        const before = found.get(spelling);
        if (before === undefined) found.set(spelling, make(meaning, [language]));
        else if (!before.languages.includes(language)) {
          found.set(spelling, make(before, [...before.languages, language]));
        }
      }
    }
  }
  return found;
}

/** Units by their lower-case spelling. */
export const DURATION_UNITS = collect<DurationUnit>(
  function* list({ units, halves }) {
    for (const name of Object.keys(UNIT_MS) as (keyof typeof UNIT_MS)[]) {
      for (const word of splitWords(units[name])) {
        yield [word, { ms: UNIT_MS[name], isShort: word.length === 1 || word === 'mo', isHalf: false }];
      }
      for (const word of splitWords(halves?.[name])) {
        yield [word, { ms: UNIT_MS[name] / 2, isShort: false, isHalf: true }];
      }
    }
  },
  (meaning, languages) => ({ ...meaning, languages }),
);

/** Time words without an end, by their lower-case spelling; phrases have one blank between their words. */
export const PERMANENT_WORDS = collect<PermanentWord>(
  function* list({ permanent, endless, endlessPhrases }) {
    for (const word of splitWords(permanent)) yield [word, { isStrong: true }];
    for (const word of [...splitWords(endless), ...endlessPhrases]) yield [word, { isStrong: false }];
  },
  (meaning, languages) => ({ ...meaning, languages }),
);

/** Symbols for a time without an end. They are not words, so no prose begins with them. */
export const PERMANENT_SYMBOLS = ['∞', '♾'];

function spellingsOfAll(words: readonly string[]): Set<string> {
  return new Set(words.flatMap((word) => [...spellingsOf(word)]));
}

export const AND_WORDS = spellingsOfAll(TIME_LANGUAGES.flatMap(({ and }) => splitWords(and)));
export const FOR_WORDS = spellingsOfAll(TIME_LANGUAGES.flatMap((language) => splitWords(language.for)));
export const IN_WORDS = spellingsOfAll(TIME_LANGUAGES.flatMap((language) => splitWords(language.in)));
export const UNTIL_WORDS = spellingsOfAll(TIME_LANGUAGES.flatMap((language) => splitWords(language.until)));

/** Words that make a duration part of a sentence, and words that lead from a permanent word to its reason. */
export interface LanguageGuards {
  readonly prose: ReadonlySet<string>;
  readonly prosePhrases: readonly string[];
  readonly prepositions: ReadonlySet<string>;
}

export const GUARDS: ReadonlyMap<TimeLanguage, LanguageGuards> = new Map(
  TIME_LANGUAGES.map((language) => [
    language,
    {
      prose: spellingsOfAll(splitWords(language.prose)),
      prosePhrases: [...spellingsOfAll(language.prosePhrases)],
      prepositions: new Set(splitWords(language.prepositions)),
    },
  ]),
);

function longest(words: Iterable<string>): number {
  return Math.max(...Array.from(words, (word) => word.length));
}

export const UNIT_LETTERS_MAX = longest(DURATION_UNITS.keys());
export const WORD_LETTERS_MAX = longest(
  [...PERMANENT_WORDS.keys(), ...FOR_WORDS, ...IN_WORDS, ...UNTIL_WORDS].flatMap((word) => word.split(' ')),
);
export const AND_LETTERS_MAX = longest(AND_WORDS);

const HALVES = [...DURATION_UNITS].filter(([, { isHalf }]) => isHalf).map(([word]) => word);
// First letters, in both cases: they rule most words out.
export const PART_WORD_STARTS = startsOf(['a', 'half', ...HALVES]);
export const AND_STARTS = startsOf([...AND_WORDS]);
export const LENGTH_STARTS = startsOf(['.', 'a', 'half', ...HALVES]);
export const TIME_WORD_STARTS = startsOf([
  ...PERMANENT_SYMBOLS,
  ...PERMANENT_WORDS.keys(),
  ...FOR_WORDS,
  ...UNTIL_WORDS,
]);
/** The first words of times that take no number. */
export const TIME_WORDS: ReadonlySet<string> = new Set([
  ...[...PERMANENT_WORDS.keys()].map((word) => word.split(' ')[0] ?? word),
  ...FOR_WORDS,
  ...UNTIL_WORDS,
]);

function startsOf(words: readonly string[]): UnitSet {
  return new UnitSet(words.map((word) => word.charAt(0) + word.charAt(0).toUpperCase()).join(''));
}

/** What may follow "a", "an" and "half an". */
export const ARTICLE_UNITS = new Set(['year', 'month', 'week', 'day', 'hour', 'minute', 'second']);

export const DURATION_MS_MAX = 100 * UNIT_MS.year;
