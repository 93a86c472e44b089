/** Milliseconds of each unit. A month has 30 days, a year 365. */
export const UNIT_MS = {
  year: 365 * 86_400_000,
  month: 30 * 86_400_000,
  week: 7 * 86_400_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
} as const;

export type UnitName = keyof typeof UNIT_MS;

/**
 * Words and phrases, separated by commas. A space in a phrase also stands for a hyphen or apostrophe: "demi heure" is
 * "demi-heure" too.
 */
type Phrases = string;

/**
 * The words of one language for lengths of time, for prose, and for introducing a reason. Accents may be omitted
 * (`gun`, `annee`).
 *
 * A word that English has too is listed only there if the prose after it is to be judged as English. Words with two
 * meanings are decided here: `m` is minutes and never months (CLDR: es, fr), `a` and `J` are not years (es, de), `g` is
 * not a day (tr, because of "5g").
 *
 * Besides the sources that each language names, the words come from the CLDR in Node (`Intl.NumberFormat` with
 * `style: 'unit'`), whose long and short forms a test looks up here. Grammatical cases that the CLDR does not list are
 * those of the noun's entry in Wiktionary. Number words are those of the CLDR's spell-out rules (`common/rbnf`), in the
 * grammatical cases that they have before a unit. A language omits the fields that it does not need.
 */
export interface TimeLanguage {
  readonly tag: string;
  readonly units: Readonly<Record<UnitName, Phrases>>;
  /** Units only when attached to their number: "15mi". After a space they mean something else. */
  readonly attachedUnits?: Readonly<Partial<Record<UnitName, Phrases>>>;
  /** Begin with a unit of any language, but mean something else after a number and a space: "3 sem motivo". */
  readonly notUnits?: Phrases;
  /** Numbers before a written-out unit. Articles are among the words for one. */
  readonly numbers: Readonly<Record<number, Phrases>>;
  /**
   * Fractions added to a number, between it and its unit or after the unit: "2 and a half hours", "2 hours and a half".
   * A phrase with the value 0 begins like one but adds nothing: "2 hours and half of the chat".
   */
  readonly addedFractions: Readonly<Partial<Record<0 | 0.25 | 0.5 | 0.75, Phrases>>>;
  /** Lengths without a number: "fortnight". */
  readonly lengths?: readonly (readonly [phrases: Phrases, count: number, unit: UnitName])[];
  /** Units that mean one of the unit after "for" or "in", or when no other words follow: "на час". */
  readonly loneUnits?: Phrases;
  /** May join two parts of a duration, or two targets. */
  readonly and: Phrases;
  /** May join two targets. */
  readonly or: Phrases;
  /** May come before a duration. */
  readonly for: Phrases;
  /** May come before a duration directly after the command: "in 10 minutes". */
  readonly in?: Phrases;
  /** May come before a timestamp. */
  readonly until?: Phrases;
  /** May come after a duration, as "for" comes before one. */
  readonly forPostpositions?: Phrases;
  /** May come after a duration directly after the command, as "in" comes before one. Elsewhere it may be prose. */
  readonly inPostpositions?: Phrases;
  /** Words for a time without an end. They also count between the target and a reason: `perm spamming`. */
  readonly permanent: Phrases;
  /** Words for a time without an end that often are part of a sentence. A word after them makes them prose: "forever alone". */
  readonly ambiguousPermanent: Phrases;
  /** A permanent word counts when one of these follows. */
  readonly prepositions: Phrases;
  /** After a written-out duration these make it part of a sentence. Words that also begin a reason are not listed. */
  readonly prose: Phrases;
  /** Longer phrases that begin like prose but begin a reason: "left the call". */
  readonly notProse?: Phrases;
  /** Prose only at the end of the line: "2 days account", but "2 days account sharing". */
  readonly proseAtEnd?: Phrases;
  /**
   * Words for the past or an age. They make any duration prose, in any language and even without a space before its
   * unit: `5m ago`, `2d old alt`. They never follow the length of a punishment.
   */
  readonly past?: Phrases;
  /** Words for being late. They make a written-out duration prose, in any language. */
  readonly lateness?: Phrases;
  /** After a length of a single word these make it part of a sentence: "неделя без варнов не помогла". */
  readonly without?: Phrases;
  /** The label of a reason, as Discord shows it for an option of a slash command: "reason: spam". */
  readonly reasonLabel: Phrases;
  /** After one day these make it part of a sentence: "one day he will learn". */
  readonly pronouns: Phrases;
}
