import { english } from './languages/english.ts';
import { french } from './languages/french.ts';
import { german } from './languages/german.ts';
import { portuguese } from './languages/portuguese.ts';
import { russian } from './languages/russian.ts';
import { spanish } from './languages/spanish.ts';
import { UNIT_MS, type TimeLanguage, type UnitName } from './languages/time-language.ts';
import { turkish } from './languages/turkish.ts';
import { Phrases } from './phrases.ts';

/** The first language with a word decides its meaning. */
export const TIME_LANGUAGES: readonly TimeLanguage[] = [
  english,
  russian,
  french,
  spanish,
  portuguese,
  german,
  turkish,
];

/** Words of one language that show whether the duration before them is part of a sentence. */
export interface ContextWords {
  /** May follow a written-out duration. */
  readonly prose: Phrases<Prose>;
  /** May follow any duration. */
  readonly past: Phrases<true>;
  /** Lead from a permanent word to its reason. */
  readonly prepositions: ReadonlySet<string>;
  /** May follow "one day". */
  readonly pronouns: Phrases<true>;
}

type Prose = 'always' | 'never' | 'at the end';

interface OfLanguages {
  /** Of each language that has the word. */
  readonly contextWords: readonly ContextWords[];
}

export interface DurationUnit extends OfLanguages {
  readonly ms: number;
  /** One or two letters. Directly after a number, it cannot be prose. */
  readonly isShort: boolean;
  /** After a space, it means something else. */
  readonly isOnlyAttached?: boolean;
}

export interface PermanentWord extends OfLanguages {
  /** Often part of a sentence. Directly after a target it does not count when a reason follows. */
  readonly isAmbiguous: boolean;
}

interface NumberWord extends OfLanguages {
  readonly count: number;
}

/** A length without a number. */
interface WholeLength {
  readonly count: number;
  readonly unit: DurationUnit;
}

const CONTEXT_WORDS = new Map(TIME_LANGUAGES.map((language) => [language, contextWordsOf(language)]));

function contextWordsOf(language: TimeLanguage): ContextWords {
  const { prose, notProse = '', proseAtEnd = '', past = '', prepositions, pronouns } = language;
  return {
    prose: new Phrases<Prose>(
      new Map([
        ...listSpellings(prose).map((phrase) => [phrase, 'always'] as const),
        ...listSpellings(notProse).map((phrase) => [phrase, 'never'] as const),
        ...listSpellings(proseAtEnd).map((phrase) => [phrase, 'at the end'] as const),
      ]),
    ),
    past: phrasesOf(listSpellings(past)),
    prepositions: new Set(listPhrases(prepositions)),
    // Without its accent the Spanish "él" is an article.
    pronouns: phrasesOf(listPhrases(pronouns)),
  };
}

/** Units by their lower-case spelling. */
export const DURATION_UNITS = collect<Omit<DurationUnit, 'contextWords'>>(function* list({
  units,
  attachedUnits = {},
}) {
  for (const [name, ms] of Object.entries(UNIT_MS) as [UnitName, number][]) {
    for (const word of listPhrases(units[name])) yield [word, { ms, isShort: word.length <= 2 }];
    for (const word of listPhrases(attachedUnits[name] ?? ''))
      yield [word, { ms, isShort: true, isOnlyAttached: true }];
  }
});

/** Time words without an end, by their lower-case spelling; phrases have one space between their words. */
export const PERMANENT_WORDS = collect<Omit<PermanentWord, 'contextWords'>>(function* list(language) {
  for (const word of listPhrases(language.permanent)) yield [word, { isAmbiguous: false }];
  for (const word of listPhrases(language.ambiguousPermanent)) yield [word, { isAmbiguous: true }];
});

const NUMBERS = collect<Omit<NumberWord, 'contextWords'>>(function* list({ numbers }) {
  for (const [count, words] of Object.entries(numbers)) {
    for (const word of listPhrases(words)) yield [word, { count: Number(count) }];
  }
});

/** By spelling, in all languages. */
function collect<Meaning>(
  wordsOf: (language: TimeLanguage) => Iterable<readonly [word: string, meaning: Meaning]>,
): ReadonlyMap<string, Meaning & OfLanguages> {
  const found = new Map<string, Meaning & { contextWords: ContextWords[] }>();
  for (const [language, contextWords] of CONTEXT_WORDS) {
    for (const [word, meaning] of wordsOf(language)) {
      for (const spelling of spell(word)) {
        const before = found.get(spelling);
        if (before === undefined) found.set(spelling, { ...meaning, contextWords: [contextWords] });
        else if (!before.contextWords.includes(contextWords)) before.contextWords.push(contextWords);
      }
    }
  }
  return found;
}

export const PERMANENT_PHRASES = new Phrases(PERMANENT_WORDS);
export const NUMBER_PHRASES = new Phrases(NUMBERS);

/** Lengths without a number. */
export const LENGTHS = new Phrases<WholeLength>(
  new Map(
    Array.from(CONTEXT_WORDS).flatMap(([{ lengths = [] }, contextWords]) =>
      lengths.flatMap(([phrases, count, name]) => {
        const unit = { ms: UNIT_MS[name], isShort: false, contextWords: [contextWords] };
        return listSpellings(phrases).map((phrase) => [phrase, { count, unit }] as const);
      }),
    ),
  ),
);

export const LONE_UNITS = new Set(listAll('loneUnits'));
/** Fractions added to a number, as "and a half". */
export const ADDED_FRACTIONS = new Phrases(
  new Map(
    TIME_LANGUAGES.flatMap(({ addedFractions }) =>
      Object.entries(addedFractions).flatMap(([count, phrases]) =>
        listSpellings(phrases).map((phrase) => [phrase, Number(count)] as const),
      ),
    ),
  ),
);
export const FOR_PHRASES = phrasesOf(listAll('for'));
export const IN_PHRASES = phrasesOf(listAll('in'));
export const AFTER_PHRASES = phrasesOf(listAll('forPostpositions'));
export const IN_AFTER_PHRASES = phrasesOf([...listAll('inPostpositions'), ...listAll('forPostpositions')]);
export const AND_WORDS = new Set(['&', '+', ...listAll('and')]);
export const OR_WORDS = new Set(listAll('or'));
export const WITHOUT_WORDS = new Set(listAll('without'));
export const PREPOSITIONS = new Set(listAll('prepositions'));
export const REASON_LABELS = new Set(listAll('reasonLabel'));
export const UNTIL_WORDS = new Set(listAll('until'));

/**
 * After a duration in any language, attached or not, these make it part of a sentence. Single words count only as
 * written, because without its dots the Turkish "önce" is an English word.
 */
export const PAST = phrasesOf(
  TIME_LANGUAGES.flatMap(({ past = '' }) =>
    listPhrases(past).flatMap((phrase) => (phrase.includes(' ') ? spell(phrase) : [phrase])),
  ),
);

/** After a written-out duration in any language, these make it part of a sentence. */
export const LATENESS_WORDS = phrasesOf(listAll('lateness'));
/** Phrases that only begin like a unit. */
export const NOT_UNITS = phrasesOf(listAll('notUnits'));

/** Symbols for a time without an end. They are not words, so they never begin prose. */
export const PERMANENT_SYMBOLS = new Set(['∞', '♾']);

/** The unit of the minutes in "1h30", which is not typed. */
export const MINUTE: DurationUnit = { ms: UNIT_MS.minute, isShort: true, contextWords: [] };

/** Longer durations are read as text. */
export const DURATION_MS_MAX = 100 * UNIT_MS.year;

type ListName =
  | 'loneUnits'
  | 'for'
  | 'in'
  | 'until'
  | 'forPostpositions'
  | 'inPostpositions'
  | 'and'
  | 'or'
  | 'lateness'
  | 'without'
  | 'notUnits'
  | 'prepositions'
  | 'reasonLabel';

function listAll(name: ListName): string[] {
  return TIME_LANGUAGES.flatMap((language) => listSpellings(language[name] ?? ''));
}

function phrasesOf(phrases: readonly string[]): Phrases<true> {
  return new Phrases(new Map(phrases.map((phrase) => [phrase, true])));
}

/** The phrases of a table's entry, as `Phrases` reads them. */
function listPhrases(text: string): string[] {
  return text
    .toLowerCase()
    .split(',')
    .map((phrase) => phrase.trim().replaceAll(/[\s'-]+/g, ' '))
    .filter((phrase) => phrase !== '');
}

function listSpellings(text: string): string[] {
  return listPhrases(text).flatMap(spell);
}

/** As written, and without accents. */
function spell(phrase: string): string[] {
  // Not for Cyrillic, where й without its breve is another letter.
  if (/[а-я]/.test(phrase)) return [phrase, phrase.replaceAll('ё', 'е')];
  return [phrase, phrase.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i')];
}
