import { DURATIONS, NO_DURATIONS } from '../../../test/unit/operations/parse-args/cases/durations.ts';
import { FLAGS } from '../../../test/unit/operations/parse-args/cases/flags.ts';
import { LANGUAGES } from '../../../test/unit/operations/parse-args/cases/languages.ts';
import { ENGLISH } from '../../../test/unit/operations/parse-args/cases/lengths/english.ts';
import { FRENCH } from '../../../test/unit/operations/parse-args/cases/lengths/french.ts';
import { GERMAN } from '../../../test/unit/operations/parse-args/cases/lengths/german.ts';
import { PORTUGUESE } from '../../../test/unit/operations/parse-args/cases/lengths/portuguese.ts';
import { RUSSIAN } from '../../../test/unit/operations/parse-args/cases/lengths/russian.ts';
import { SPANISH } from '../../../test/unit/operations/parse-args/cases/lengths/spanish.ts';
import { TURKISH } from '../../../test/unit/operations/parse-args/cases/lengths/turkish.ts';
import type { LineCase } from '../../../test/unit/operations/parse-args/cases/line-case.ts';
import { NEAR_LENGTHS } from '../../../test/unit/operations/parse-args/cases/near-lengths.ts';
import { PLACES } from '../../../test/unit/operations/parse-args/cases/places.ts';
import { PREFIX_AND_COMMAND } from '../../../test/unit/operations/parse-args/cases/prefix-and-command.ts';
import { NO_PROSE, PROSE } from '../../../test/unit/operations/parse-args/cases/prose.ts';
import { REASONS } from '../../../test/unit/operations/parse-args/cases/reasons.ts';
import { INVISIBLE_CHARACTERS } from '../../../test/unit/operations/parse-args/cases/invisible-characters.ts';
import { USERS } from '../../../test/unit/operations/parse-args/cases/users.ts';
import type { Contestant } from './contestants.ts';

export const TABLES: readonly (readonly [name: string, cases: readonly LineCase[]])[] = [
  ['prefix and command', PREFIX_AND_COMMAND],
  ['users', USERS],
  ['durations', DURATIONS],
  ['no durations', NO_DURATIONS],
  ['channels, roles, timestamps, quotes', PLACES],
  ['what looks like a length, or does not', NEAR_LENGTHS],
  ['prose and times that look like it', [...PROSE, ...NO_PROSE]],
  ['other languages', LANGUAGES.flatMap(([, cases]) => cases)],
  ['lengths in words', [ENGLISH, RUSSIAN, FRENCH, SPANISH, PORTUGUESE, GERMAN, TURKISH].flat()],
  ['reasons', REASONS],
  ['flags', FLAGS],
  ['invisible and full-width characters', INVISIBLE_CHARACTERS],
];

// ms has years of 365.25 days: another convention, not another reading.
const DURATION_TOLERANCE = 0.02;

/** A line counts when its command, user id, duration and reason are all right. */
export function countRight(contestant: Contestant, cases: readonly LineCase[]): number {
  return cases.filter((lineCase) => isRight(contestant, lineCase)).length;
}

function isRight(contestant: Contestant, { text, expected }: LineCase): boolean {
  // The libraries need a prefix: a line without one gets the usual.
  const prefix = expected.prefix ?? '!';
  const line = expected.prefix === null && expected.command !== null ? `!${text}` : text;
  try {
    const reading = contestant.read(contestant.name === 'Quartermaster' ? text : line, prefix);
    return (
      reading.command === expected.command &&
      reading.userId === (expected.user_id ?? null) &&
      reading.reason === (expected.reason ?? null) &&
      isSameDuration(reading.durationMs, expected.permanent ? Infinity : (expected.duration_ms ?? null))
    );
  } catch {
    return false;
  }
}

function isSameDuration(read: number | null, expected: number | null): boolean {
  if (read === null || expected === null || read === Infinity || expected === Infinity)
    return read === expected;
  return Math.abs(read - expected) <= expected * DURATION_TOLERANCE;
}
