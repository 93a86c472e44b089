import { TIME_LANGUAGES, UNIT_MS, type TimeLanguage } from './time-languages.ts';

/** The words of one language that separate times from prose. */
export interface Guards {
  /** After a written-out duration these make it part of a sentence. */
  readonly prose: ReadonlySet<string>;
  readonly prosePhrases: readonly string[];
  /** After any duration these make it part of a sentence. */
  readonly past: ReadonlySet<string>;
  /** These lead from a permanent word to its reason. */
  readonly prepositions: ReadonlySet<string>;
}

export interface DurationUnit {
  readonly ms: number;
  /** One letter (or `mo`): with a number directly before it, it cannot be prose. */
  readonly isShort: boolean;
  /** Half of the unit in one word, which takes no number. */
  readonly isHalf: boolean;
  /** Guards of the languages that have the word. */
  readonly guards: readonly Guards[];
}

export interface PermanentWord {
  /** Counts directly after a target even when a reason follows. */
  readonly isStrong: boolean;
  readonly guards: readonly Guards[];
}

const GUARDS = new Map(TIME_LANGUAGES.map((language) => [language, guardsOf(language)]));

function guardsOf({ prose, prosePhrases, past, prepositions }: TimeLanguage): Guards {
  return {
    prose: new Set(spell(splitWords(prose))),
    prosePhrases: spell(prosePhrases),
    past: new Set(spell(splitWords(past))),
    prepositions: new Set(splitWords(prepositions)),
  };
}

/** Units by their lower-case spelling. */
export const DURATION_UNITS = collect<Omit<DurationUnit, 'guards'>>(function* list({ units, halves }) {
  for (const [name, ms] of Object.entries(UNIT_MS) as [keyof typeof UNIT_MS, number][]) {
    for (const word of splitWords(units[name])) {
      yield [word, { ms, isShort: word.length === 1 || word === 'mo', isHalf: false }];
    }
    for (const word of splitWords(halves?.[name] ?? ''))
      yield [word, { ms: ms / 2, isShort: false, isHalf: true }];
  }
});

/** Time words without an end, by their lower-case spelling; phrases have one blank between their words. */
export const PERMANENT_WORDS = collect<Omit<PermanentWord, 'guards'>>(function* list(language) {
  for (const word of splitWords(language.permanent)) yield [word, { isStrong: true }];
  for (const word of [...splitWords(language.endless), ...language.endlessPhrases])
    yield [word, { isStrong: false }];
});

/** By spelling, in all languages. The first language that has a word decides its meaning. */
function collect<Meaning>(
  wordsOf: (language: TimeLanguage) => Iterable<readonly [word: string, meaning: Meaning]>,
): ReadonlyMap<string, Meaning & { readonly guards: readonly Guards[] }> {
  const found = new Map<string, Meaning & { guards: Guards[] }>();
  for (const [language, guards] of GUARDS) {
    for (const [word, meaning] of wordsOf(language)) {
      for (const spelling of spell([word])) {
        const before = found.get(spelling);
        if (before === undefined) found.set(spelling, { ...meaning, guards: [guards] });
        else if (!before.guards.includes(guards)) before.guards.push(guards);
      }
    }
  }
  return found;
}

export const PHRASE_STARTS = new Set(
  [...PERMANENT_WORDS.keys()].flatMap((words) => (words.includes(' ') ? words.split(' ', 1) : [])),
);

/** Symbols for a time without an end. They are not words, so no prose begins with them. */
export const PERMANENT_SYMBOLS = new Set(['∞', '♾']);

export const AND_WORDS = new Set(['&', '+', ...listWords('and')]);
export const OR_WORDS = listWords('or');
export const FOR_WORDS = listWords('for');
export const IN_WORDS = listWords('in');
export const UNTIL_WORDS = listWords('until');

function listWords(kind: 'and' | 'or' | 'for' | 'in' | 'until'): ReadonlySet<string> {
  return new Set(TIME_LANGUAGES.flatMap((language) => spell(splitWords(language[kind]))));
}

/**
 * After a duration in any language, glued or not, these make it part of a sentence. Only as written: without its dots
 * the Turkish "önce" is an English word.
 */
export const PAST_WORDS: ReadonlySet<string> = new Set(
  TIME_LANGUAGES.flatMap(({ past }) => splitWords(past)),
);
export const PAST_PHRASES: readonly string[] = TIME_LANGUAGES.flatMap(({ pastPhrases }) =>
  spell(pastPhrases),
);

/** These may follow "a", "an" and "half an". */
export const ARTICLE_UNITS = new Set(['year', 'month', 'week', 'day', 'hour', 'minute', 'second']);

/** The unit of the minutes in "1h30", which is not typed. */
export const MINUTE: DurationUnit = { ms: UNIT_MS.minute, isShort: true, isHalf: false, guards: [] };

export const DURATION_MS_MAX = 100 * UNIT_MS.year;

function splitWords(words: string): string[] {
  return words.toLowerCase().split(/\s+/).filter(Boolean);
}

/** As written, and without accents. */
function spell(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    // Not for Cyrillic: й without its breve is another letter.
    if (/[а-я]/.test(word)) return [word, word.replaceAll('ё', 'е')];
    return [word, word.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i')];
  });
}
