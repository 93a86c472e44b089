import type { Command } from './command.ts';
import { readDurationAfterIn, type Duration } from './duration.ts';
import type { FlagReader } from './flags.ts';
import { skipHeadWords } from './head-word.ts';
import type { Line, Range } from './line.ts';
import { readTime } from './read-time.ts';
import { skipAttachedSeparator, skipSeparator } from './separator.ts';
import { findMention, isUser, readTargets, type Target } from './target.ts';

/** Everything after the command. */
export interface Tail {
  readonly targets: readonly Target[];
  readonly duration: Duration | null;
  /** The rest, in one or two texts. */
  readonly reasonTexts: readonly Range[];
}

/** A line while its tail is read. */
interface Reading {
  readonly line: Line;
  readonly flags: FlagReader;
  /** The verb of the line; empty when it has none. */
  readonly action: string;
}

/**
 * Reads everything after the command. First comes the head, which is targets, flags and one duration before or after a
 * target, and then the reason. If there is no target in the head, the first mention in the text is one.
 */
export function readTail(line: Line, opening: Command, flags: FlagReader, argsOnly: boolean): Tail {
  const { command, subcommand } = opening;
  const action = subcommand ?? command ?? '';
  const reading = { line, flags, action };
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
    readTime(line, start, action, false) ?? (isAfterCommand ? readDurationAfterIn(line, start) : null);
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
  const { line, flags, action } = reading;
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
    const time = duration === null ? readTime(line, next, action, true) : null;
    if (time === null) {
      const more = readTargets(line, next, !targets.some(isUser));
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

function endHead({ flags }: Reading, { targets, duration, end }: Head): Tail {
  return { targets, duration, reasonTexts: [{ start: end, end: flags.readTrailing(end) }] };
}

/** A text with a mention in it, perhaps with the duration after it. */
function readLate(reading: Reading, start: number, early: Duration | null): Tail {
  const { line, flags, action } = reading;
  const end = flags.readTrailing(start);
  const mention = findMention(line, start);
  if (mention === null || mention.end > end)
    return { targets: [], duration: early, reasonTexts: [{ start, end }] };
  const afterMention = skipSeparator(line, mention.end);
  const late = early === null ? readTime(line, afterMention, action, true) : null;
  const restStart = late === null ? afterMention : skipSeparator(line, late.next, true);
  return {
    targets: [mention],
    duration: early ?? late,
    reasonTexts: [
      { start, end: mention.start },
      { start: restStart, end },
    ],
  };
}
