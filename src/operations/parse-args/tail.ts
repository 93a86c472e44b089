import { findWordEnd, skipBlanks } from './characters.ts';
import type { CommandHead } from './command.ts';
import { readDuration, readDurationAfterIn, type Duration } from './duration.ts';
import type { FlagReader } from './flags.ts';
import type { LineText } from './line-text.ts';
import { isRoleCommand, isRoleWord } from './moderation-verbs.ts';
import { skipAttachedSeparator, skipSeparator } from './separator.ts';
import type { Range } from './shadow-text.ts';
import { findMention, findMentionStart, isUser, readTargets, type Target } from './target.ts';
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

/**
 * Reads what follows the command: first the head, which is targets, flags and one duration before or after a target,
 * and then the reason. Without a target in the head, the first mention in the text is one.
 */
export function readTail(text: LineText, head: CommandHead, flags: FlagReader, argsOnly: boolean): Tail {
  const { command, subcommand } = head;
  const line: Line = {
    text,
    flags,
    action: subcommand ?? command ?? '',
    isAfterCommand: argsOnly || command !== null,
  };
  const base = flags.readFrom(skipAttachedSeparator(text, skipRoleWord(text, head, argsOnly), false));
  const start = skipSeparator(text, base);
  const first = readTargets(text, start);
  if (first.length > 0 && (line.isAfterCommand || first[0]?.kind === 'user')) {
    return endHead(line, readHead(line, endOf(first), first, null));
  }
  const early =
    readTime(line, start, false) ?? (line.isAfterCommand ? readDurationAfterIn(text, start) : null);
  if (early === null) return readLate(line, base, null);
  const reversed = readHead(line, early.next, [], early);
  if (reversed.targets.length > 0) return endHead(line, reversed);
  return line.isAfterCommand ? readLate(line, reversed.end, early) : readLate(line, base, null);
}

function readTime({ text, action }: Line, at: number, isAfterTarget: boolean): Duration | null {
  const duration = readDuration(text, at);
  return duration !== null && isTimeAt(text, duration, action, isAfterTarget) ? duration : null;
}

interface Head {
  readonly targets: readonly Target[];
  readonly duration: Duration | null;
  /** Where the reason begins. */
  readonly end: number;
}

/** Goes on after the first targets or after the duration. Channels and roles count up to the reason, users in one place. */
function readHead(line: Line, from: number, first: readonly Target[], early: Duration | null): Head {
  const { text, flags } = line;
  const targets = [...first];
  let duration = early;
  let end = from;
  let isAfterTime = early !== null;
  for (;;) {
    const flagsEnd = flags.readFrom(end);
    const next = skipSeparator(text, flagsEnd, isAfterTime && flagsEnd === end);
    const time = duration === null ? readTime(line, next, true) : null;
    const more = time === null ? readTargets(text, next, !targets.some(isUser)) : [];
    if (time === null && more.length === 0) return { targets, duration, end: next };
    duration ??= time;
    targets.push(...more);
    isAfterTime = time !== null;
    end = time === null ? endOf(more) : time.next;
  }
}

function endHead({ flags }: Line, { targets, duration, end }: Head): Tail {
  return { targets, duration, reasonTexts: [{ start: end, end: flags.readTrailing(end) }] };
}

/** The end of the command and, where it is about roles, of what it does with them: `!role add`. */
function skipRoleWord(text: LineText, { command, end }: CommandHead, argsOnly: boolean): number {
  if (!argsOnly && (command === null || !isRoleCommand(command))) return end;
  const start = skipBlanks(text, end);
  const wordEnd = findRoleWordEnd(text, start);
  if (wordEnd === start || !argsOnly) return wordEnd > start ? wordEnd : end;
  // Without the command, only a role tells.
  return readTargets(text, skipBlanks(text, wordEnd)).some(({ kind }) => kind === 'role') ? wordEnd : end;
}

function findRoleWordEnd(text: LineText, start: number): number {
  const end = findWordEnd(text, start);
  const mention = findMentionStart(text, start);
  const wordEnd = mention >= 0 ? Math.min(end, mention) : end;
  return isRoleWord(text.sliceLowerCase(start, wordEnd)) ? wordEnd : start;
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
