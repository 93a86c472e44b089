import { skipHeadWords, type Command } from './command.ts';
import { readDurationAfterIn, readTime, type Duration } from './duration.ts';
import { FlagReader, type Flag } from './flags.ts';
import type { Line, Range } from './line.ts';
import { isMoneyCommand } from './moderation-verbs.ts';
import { skipAttachedSeparator, skipSeparator } from './separator.ts';
import { findMention, isUser, readTarget, readTargets, type Target } from './target.ts';
import { PREPOSITIONS } from './time-words.ts';
import { isBlankAt } from './token.ts';

/** The line after the command. */
export interface Tail {
  readonly targets: readonly Target[];
  readonly duration: Duration | null;
  /** The rest, in one or two texts. */
  readonly reasonTexts: readonly Range[];
  readonly flags: readonly Flag[];
}

/** A line while its tail is read. */
interface Reading {
  readonly line: Line;
  readonly flags: FlagReader;
  /** The verb of the line; empty if it has none, or one that does not count. */
  readonly action: string;
}

/**
 * Reads the line after the command. First comes the head, which is targets, flags and one duration before or after a
 * target, and then the reason. Without a target in the head, the first mention in the text is one.
 */
export function readTail(line: Line, beginning: Command, argsOnly: boolean): Tail {
  const action = beginning.subcommand ?? beginning.command ?? '';
  if (isMoneyCommand(action)) {
    // Money goes to users, not to a role or a channel: "!give @user 30m @role".
    const tail = readParts(line, beginning, argsOnly, '');
    if (!tail.targets.every(isUser)) return tail;
  }
  return readParts(line, beginning, argsOnly, action);
}

function readParts(line: Line, { command, end }: Command, argsOnly: boolean, action: string): Tail {
  const flags = new FlagReader(line);
  const reading = { line, flags, action };
  // Without a command, a line begins with a user or is a text.
  const isAfterCommand = argsOnly || command !== null;
  const headEnd = isAfterCommand ? skipHeadWords(line, end, command, action) : end;
  // Read flags first, because a phone's long dash would also be a separator.
  const flagsEnd = flags.readFrom(headEnd);
  const base = flagsEnd > headEnd ? flagsEnd : flags.readFrom(skipAttachedSeparator(line, headEnd, false));
  const start = skipSeparator(line, base);
  const targets = readTargets(line, start);
  const [first] = targets;
  if (first !== undefined && (isAfterCommand || isUser(first)))
    return endHead(reading, readHead(reading, targets, null));
  const early =
    readTime(line, start, action, false) ??
    (isAfterCommand ? readDurationAfterIn(line, start, action) : null);
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

/**
 * Continues after the first targets or the duration. Roles and channels count up to the reason, users only in one
 * position.
 */
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
      const found = readTargets(line, next, !targets.some(isUser));
      const more = found.length === 0 && duration === null ? readChannelPhrase(reading, next) : found;
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
  return {
    targets,
    duration,
    reasonTexts: [{ start: end, end: flags.readTrailing(end) }],
    flags: flags.flags,
  };
}

/** A channel with its preposition before a time: "in #general 10m". Before other words it belongs to the reason. */
function readChannelPhrase(reading: Reading, at: number): Target[] {
  const { line, action } = reading;
  const word = line.tokenAt(at);
  if (!PREPOSITIONS.has(word.value) || !isBlankAt(line.text, word.end)) return [];
  const channel = readTarget(line, line.skipBlanks(word.end), false);
  if (channel?.kind !== 'channel') return [];
  return readTime(line, skipSeparator(line, channel.end), action, true) === null ? [] : [channel];
}

/** The time between a number and the mention. In "12 5m @user" the number is that of a reminder. */
function findNumberedTime(reading: Reading, start: number, mention: Range) {
  const { line, action } = reading;
  const number = line.tokenAt(line.text.charAt(start) === '#' ? start + 1 : start);
  if (number.kind !== 'digits' || !isBlankAt(line.text, number.end)) return null;
  const time = readTime(line, line.skipBlanks(number.end), action, false);
  const isBeforeMention = time !== null && skipSeparator(line, time.next, true) === mention.start;
  return isBeforeMention ? { time, numberEnd: number.end } : null;
}

/** A text with a mention in it, perhaps with the duration after it. */
function readLate(reading: Reading, start: number, early: Duration | null): Tail {
  const { line, flags, action } = reading;
  const end = flags.readTrailing(start);
  const mention = findMention(line, start);
  if (mention === null || mention.end > end)
    return { targets: [], duration: early, reasonTexts: [{ start, end }], flags: flags.flags };
  const afterMention = skipSeparator(line, mention.end);
  const numbered = early === null ? findNumberedTime(reading, line.skipBlanks(start), mention) : null;
  const late = early === null && numbered === null ? readTime(line, afterMention, action, true) : null;
  const restStart = late === null ? afterMention : skipSeparator(line, late.next, true);
  return {
    targets: [mention],
    duration: early ?? numbered?.time ?? late,
    reasonTexts: [
      { start, end: numbered?.numberEnd ?? mention.start },
      { start: restStart, end },
    ],
    flags: flags.flags,
  };
}
