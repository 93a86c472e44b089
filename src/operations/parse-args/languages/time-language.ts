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
 * `style: 'unit'`), whose long and short forms a test looks up here. Cases that the CLDR does not list are those of the
 * noun's entry in Wiktionary. Number words are those of the CLDR's spell-out rules (`common/rbnf`), with the cases in
 * which they stand before a unit. Fields that a language does not need are left out.
 */
export interface TimeLanguage {
  readonly tag: string;
  readonly units: Readonly<Record<UnitName, Phrases>>;
  /** Units only directly after their number: "15mi". After a space they mean something else. */
  readonly attachedUnits?: Readonly<Partial<Record<UnitName, Phrases>>>;
  /** Begin with a unit of any language, but mean something else after a number and a space: "3 sem motivo". */
  readonly notUnits?: Phrases;
  /** Numbers before a written-out unit, articles among the words for one. */
  readonly numbers: Readonly<Record<number, Phrases>>;
  /**
   * How much more, between a number and its unit or after the unit: "2 and a half hours", "2 hours and a half". Such a
   * phrase does not count where it continues a sentence: "2 hours and half of the chat".
   */
  readonly more: Readonly<Partial<Record<0 | 0.25 | 0.5 | 0.75, Phrases>>>;
  /** Lengths without a number: "fortnight". */
  readonly lengths?: readonly (readonly [phrases: Phrases, count: number, unit: UnitName])[];
  /** Units that mean one of them after "for" or "in", or without other words after them: "на час". */
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
  /** Without an end. These also count directly after the target when a reason follows: `perm spamming`. */
  readonly permanent: Phrases;
  /** Without an end, but often part of a sentence ("forever alone"). A word after them makes them prose. */
  readonly weakPermanent: Phrases;
  /** A permanent word counts when one of these follows. */
  readonly prepositions: Phrases;
  /** After a written-out duration these make it part of a sentence. Words that also begin a reason are not listed. */
  readonly prose: Phrases;
  /** Longer phrases that begin like prose and are not: "left the call" is about a deed. */
  readonly notProse?: Phrases;
  /** Prose only at the end of the line: "2 days account", but "2 days account sharing". */
  readonly proseAtEnd?: Phrases;
  /**
   * These do the same after any duration of any language, even without a space before its unit: `5m ago`, `2d old alt`.
   * They never follow the length of a punishment.
   */
  readonly past?: Phrases;
  /** For being late. Prose after any written-out duration, in any language. */
  readonly late?: Phrases;
  /** After a length of a single word these make it part of a sentence: "неделя без варнов не помогла". */
  readonly without?: Phrases;
  /** A label before the reason, as options of slash commands have one: "reason: spam". */
  readonly reasonLabel: Phrases;
  /** After one day these make it part of a sentence: "one day he will learn". */
  readonly pronouns: Phrases;
}
