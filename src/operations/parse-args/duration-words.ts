const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface DurationUnit {
  readonly ms: number;
  /** One letter (or `mo`): glued to its number it cannot be prose. */
  readonly isShort: boolean;
}

const SPELLINGS: readonly (readonly [ms: number, short: string, long: string])[] = [
  [365 * DAY_MS, 'y', 'yr yrs year years'],
  [30 * DAY_MS, 'mo', 'mos mon mth month months'],
  [7 * DAY_MS, 'w', 'wk wks week weeks'],
  [DAY_MS, 'd', 'day days'],
  [HOUR_MS, 'h', 'hr hrs hour hours'],
  [MINUTE_MS, 'm', 'min mins minute minutes'],
  [SECOND_MS, 's', 'sec secs second seconds'],
];

/** Units by their lower-case spelling. A month has 30 days, a year 365; `m` is minutes. */
export const DURATION_UNITS: ReadonlyMap<string, DurationUnit> = new Map(
  SPELLINGS.flatMap(([ms, short, long]) =>
    [short, ...long.split(' ')].map((word): [string, DurationUnit] => [
      word,
      { ms, isShort: word === short },
    ]),
  ),
);

export const UNIT_LETTERS_MAX = 7;

/** What may follow "a" or "an". */
export const ARTICLE_UNITS = new Set(['year', 'month', 'week', 'day', 'hour', 'minute', 'second']);

export const DURATION_MS_MAX = 100 * 365 * DAY_MS;

/** Time words without an end. */
export const PERMANENT_WORDS = new Set(
  'perm perma permanent permanently forever indef indefinite indefinitely inf infinite infinity lifetime ∞ ♾'.split(
    ' ',
  ),
);

/**
 * After a written-out duration these make it part of a sentence: "30 days of warnings", "13 years old". Words that
 * also begin a reason are not among them: "7 days without appeal", "1 day per rule 3", "3 days running scams".
 */
export const PROSE_WORDS = new Set(
  `of old older ago late later early earlier before after afterwards since apart straight long longer worth into
   behind ahead away younger overdue consecutively`.split(/\s+/),
);

/** The same with several words, one blank between them. */
export const PROSE_PHRASES = [
  'in a row',
  'on end',
  'at a time',
  'from now',
  'prior to',
  'per hour',
  'per day',
  'per week',
  'per month',
  'and counting',
  'too late',
  'too early',
  'too long',
  'so far',
];
