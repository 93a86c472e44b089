import type { CommandHead } from './command.ts';
import { readDuration, type Duration } from './duration.ts';
import type { FlagReader } from './flags.ts';
import type { LineText } from './line-text.ts';
import { skipAttachedSeparator, skipSeparator } from './separator.ts';
import type { Range } from './shadow-text.ts';
import { findMention, readTargets, type Target } from './target.ts';
import { isTimeAt } from './time-place.ts';

/** What follows the command. */
export interface Tail {
  readonly targets: readonly Target[];
  readonly duration: Duration | null;
  /** What is left in one or two texts. */
  readonly reasonTexts: readonly Range[];
}

/** A line while its tail is read. */
interface Line {
  readonly text: LineText;
  readonly flags: FlagReader;
  /** Command and subcommand decide what a permanent word and an age are. */
  readonly action: string;
  /** Whether a channel, a role or a lone duration at the beginning belongs to a command. */
  readonly isAfterCommand: boolean;
}

/** Reads what follows the command in one of three orders: target first, duration first, or a mention in the text. */
export function readTail(text: LineText, head: CommandHead, flags: FlagReader, argsOnly: boolean): Tail {
  const { command, subcommand } = head;
  const line: Line = {
    text,
    flags,
    action: subcommand ?? command ?? '',
    isAfterCommand: argsOnly || command !== null,
  };
  const base = flags.readFrom(skipAttachedSeparator(text, head.end, false));
  const first = skipSeparator(text, base);
  const targets = readTargets(text, first);
  if (targets.length > 0 && (line.isAfterCommand || targets[0]?.kind === 'user')) {
    const flagsEnd = flags.readFrom(endOf(targets));
    const duration = readTime(line, skipSeparator(text, flagsEnd), true);
    return { targets, duration, reasonTexts: readRest(line, duration, flagsEnd) };
  }
  const duration = readTime(line, first, false);
  return (duration === null ? null : readReversed(line, duration)) ?? readLate(line, base, null);
}

function readTime({ text, action }: Line, at: number, isAfterTarget: boolean): Duration | null {
  const duration = readDuration(text, at);
  return duration !== null && isTimeAt(text, duration, action, isAfterTarget) ? duration : null;
}

/** Null when the duration is followed by no target and belongs to no command. */
function readReversed(line: Line, duration: Duration): Tail | null {
  const { text, flags } = line;
  const flagsEnd = flags.readFrom(duration.next);
  const next = skipSeparator(text, flagsEnd, flagsEnd === duration.next);
  const targets = readTargets(text, next);
  if (targets.length > 0) {
    return { targets, duration, reasonTexts: readRest(line, null, flags.readFrom(endOf(targets))) };
  }
  return line.isAfterCommand ? readLate(line, next, duration) : null;
}

/** The reason after the last target or, if there is one, the duration. */
function readRest({ text, flags }: Line, duration: Duration | null, at: number): Range[] {
  const flagsEnd = duration === null ? at : flags.readFrom(duration.next);
  const start = skipSeparator(text, flagsEnd, flagsEnd === duration?.next);
  return [{ start, end: flags.readTrailing(start) }];
}

function readLate(line: Line, start: number, early: Duration | null): Tail {
  const { text, flags } = line;
  const end = flags.readTrailing(start);
  const mention = findMention(text, start);
  if (mention === null || mention.end > end) {
    return { targets: [], duration: early, reasonTexts: [{ start, end }] };
  }
  const afterMention = skipSeparator(text, mention.end);
  const late = early === null ? readTime(line, afterMention, true) : null;
  const restStart = late === null ? afterMention : skipSeparator(text, late.next, true);
  return {
    targets: [mention],
    duration: early ?? late,
    reasonTexts: [
      { start, end: mention.start },
      { start: restStart, end },
    ],
  };
}

function endOf(targets: readonly Target[]): number {
  return targets[targets.length - 1]?.end ?? 0;
}
