import { skipHeadWords, type Command } from './command.ts';
import { readDurationAfterIn, readTime, type Duration } from './duration.ts';
import { FlagReader, type Flag } from './flags.ts';
import type { Line, Range } from './line.ts';
import { isMoneyCommand } from './moderation-verbs.ts';
import { skipAttachedSeparator, skipSeparator } from './separator.ts';
import { findMention, isUser, readTarget, readTargets, type Target } from './target.ts';
import { PREPOSITIONS } from './time-words.ts';
import { isBlankAt } from './token.ts';

/** Everything after the command. */
export interface Tail {
  readonly targets: readonly Target[];
  readonly duration: Duration | null;
  /** The rest, in one or two texts. */
  readonly reasonTexts: readonly Range[];
  readonly flags: readonly Flag[];
}

/** Its parts but the flags, which its reader remembers. */
type Parts = Omit<Tail, 'flags'>;

/** A line while its tail is read. */
interface Reading {
  readonly line: Line;
  readonly flags: FlagReader;
  /** The verb of the line; empty when it has none. */
  readonly action: string;
  /** `100m` is a sum of money. */
  readonly hasSums: boolean;
}

/**
 * Reads everything after the command. First comes the head, which is targets, flags and one duration before or after a
 * target, and then the reason. If there is no target in the head, the first mention in the text is one.
 */
export function readTail(line: Line, opening: Command, argsOnly: boolean): Tail {
  const action = opening.subcommand ?? opening.command ?? '';
  const read = (hasSums: boolean) => {
    const flags = new FlagReader(line);
    return { ...readParts({ line, flags, action, hasSums }, opening, argsOnly), flags: flags.flags };
  };
  const tail = read(false);
  // Nobody gives money to a role or a channel: "!give @user 30m @role".
  return isMoneyCommand(action) && tail.targets.every(isUser) ? read(true) : tail;
}

function readParts(reading: Reading, opening: Command, argsOnly: boolean): Parts {
  const { line, flags, action } = reading;
  const { command } = opening;
  // Without a command, a line begins with a user or is a text.
  const isAfterCommand = argsOnly || command !== null;
  const headEnd = isAfterCommand ? skipHeadWords(line, opening.end, command, action) : opening.end;
  // First flags, as the dash of a phone would also be a separator.
  const flagsEnd = flags.readFrom(headEnd);
  const base = flagsEnd > headEnd ? flagsEnd : flags.readFrom(skipAttachedSeparator(line, headEnd, false));
  const start = skipSeparator(line, base);
  const targets = readTargets(line, start);
  const [first] = targets;
  if (first !== undefined && (isAfterCommand || isUser(first)))
    return endHead(reading, readHead(reading, targets, null));
  const early =
    findTime(reading, start, false) ??
    (isAfterCommand ? unlessSum(reading, readDurationAfterIn(line, start)) : null);
  if (early === null) return readLate(reading, base, null);
  const reversed = readHead(reading, [], early);
  if (reversed.targets.length > 0) return endHead(reading, reversed);
  return isAfterCommand ? readLate(reading, reversed.end, early) : readLate(reading, base, null);
}

interface Head {
  readonly targets: readonly Target[];
  readonly duration: Duration | null;
  /** The start of the reason. */
  readonly end: number;
}

/** Goes on after the first targets or the duration. Roles and channels count up to the reason, users in one place. */
function readHead(reading: Reading, first: readonly Target[], early: Duration | null): Head {
  const { line, flags } = reading;
  const targets = [...first];
  let duration = early;
  let end = early === null ? endOf(first) : early.next;
  let isAfterTime = early !== null;
  for (;;) {
    const flagsEnd = flags.readFrom(end);
    const next = skipSeparator(line, flagsEnd, isAfterTime && flagsEnd === end);
    const moreFlagsEnd = flags.readFrom(next);
    if (moreFlagsEnd > next) {
      end = moreFlagsEnd;
      continue;
    }
    const time = duration === null ? findTime(reading, next, true) : null;
    if (time === null) {
      const found = readTargets(line, next, !targets.some(isUser));
      const more = found.length === 0 && duration === null ? findPlace(reading, next) : found;
      if (more.length === 0) return { targets, duration, end: next };
      targets.push(...more);
      end = endOf(more);
    } else {
      duration = time;
      end = time.next;
    }
    isAfterTime = time !== null;
  }
}

function endOf(targets: readonly Target[]): number {
  return targets[targets.length - 1]?.end ?? 0;
}

function endHead({ flags }: Reading, { targets, duration, end }: Head): Parts {
  return { targets, duration, reasonTexts: [{ start: end, end: flags.readTrailing(end) }] };
}

const SUM = /^\d[\d.,]*m$/i;

function unlessSum({ line, hasSums }: Reading, time: Duration | null): Duration | null {
  return time !== null && hasSums && SUM.test(line.text.slice(time.start, time.end)) ? null : time;
}

function findTime(reading: Reading, at: number, isAfterTarget: boolean): Duration | null {
  return unlessSum(reading, readTime(reading.line, at, reading.action, isAfterTarget));
}

/** A channel with its preposition before a time: "in #general 10m". Before other words it belongs to the reason. */
function findPlace(reading: Reading, at: number): Target[] {
  const { line } = reading;
  const word = line.tokenAt(at);
  if (!PREPOSITIONS.has(word.value) || !isBlankAt(line.text, word.end)) return [];
  const place = readTarget(line, line.skipBlanks(word.end), false);
  if (place?.kind !== 'channel') return [];
  return findTime(reading, skipSeparator(line, place.end), true) === null ? [] : [place];
}

/** The time between a number and the mention: in "12 5m @user" the number says which reminder is meant. */
function findNumberedTime(reading: Reading, start: number, mention: Range) {
  const { line } = reading;
  const number = line.tokenAt(line.text.charAt(start) === '#' ? start + 1 : start);
  if (number.kind !== 'digits' || !isBlankAt(line.text, number.end)) return null;
  const time = findTime(reading, line.skipBlanks(number.end), false);
  const isBeforeMention = time !== null && skipSeparator(line, time.next, true) === mention.start;
  return isBeforeMention ? { time, numberEnd: number.end } : null;
}

/** A text with a mention in it, perhaps with the duration after it. */
function readLate(reading: Reading, start: number, early: Duration | null): Parts {
  const { line, flags } = reading;
  const end = flags.readTrailing(start);
  const mention = findMention(line, start);
  if (mention === null || mention.end > end)
    return { targets: [], duration: early, reasonTexts: [{ start, end }] };
  const afterMention = skipSeparator(line, mention.end);
  const numbered = early === null ? findNumberedTime(reading, line.skipBlanks(start), mention) : null;
  const late = early === null && numbered === null ? findTime(reading, afterMention, true) : null;
  const restStart = late === null ? afterMention : skipSeparator(line, late.next, true);
  return {
    targets: [mention],
    duration: early ?? numbered?.time ?? late,
    reasonTexts: [
      { start, end: numbered?.numberEnd ?? mention.start },
      { start: restStart, end },
    ],
  };
}
