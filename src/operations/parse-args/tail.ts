import type { CommandHead } from './command.ts';
import { readDuration, readDurationAfterIn, type Duration } from './duration.ts';
import type { FlagReader } from './flags.ts';
import type { Line, Range } from './line.ts';
import { canLast, isRoleCommand, isRoleWord, isWarning } from './moderation-verbs.ts';
import { hasLineBreak, skipAttachedSeparator, skipSeparator } from './separator.ts';
import { findMention, isUser, readTarget, readTargets, type Target } from './target.ts';
import { UNIT_MS } from './time-languages.ts';
import type { PermanentWord } from './time-words.ts';
import { isBlankOrEndAt, isWordAt } from './token.ts';

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
  readonly head: CommandHead;
  /** The line is the text after a command, without the command. */
  readonly argsOnly: boolean;
}

/**
 * Reads everything after the command. First comes the head, which is targets, flags and one duration before or after a
 * target, and then the reason. If there is no target in the head, the first mention in the text is one.
 */
export function readTail(line: Line, head: CommandHead, flags: FlagReader, argsOnly: boolean): Tail {
  const reading = { line, flags, head, argsOnly };
  const base = flags.readFrom(skipAttachedSeparator(line, skipRoleWord(reading), false));
  const start = skipSeparator(line, base);
  // Without a command, a line begins with a user or is a text.
  const isAfterCommand = argsOnly || head.command !== null;
  const targets = readTargets(line, start);
  const [first] = targets;
  if (first !== undefined && (isAfterCommand || isUser(first)))
    return endHead(reading, readHead(reading, targets, null));
  const early = readTime(reading, start, false) ?? (isAfterCommand ? readDurationAfterIn(line, start) : null);
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
    const time = duration === null ? readTime(reading, next, true) : null;
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
  const { line, flags } = reading;
  const end = flags.readTrailing(start);
  const mention = findMention(line, start);
  if (mention === null || mention.end > end)
    return { targets: [], duration: early, reasonTexts: [{ start, end }] };
  const afterMention = skipSeparator(line, mention.end);
  const late = early === null ? readTime(reading, afterMention, true) : null;
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

/** The end of the command and, if it is about roles, of the word for what to do with them: `!role add`. */
function skipRoleWord({ line, head: { command, end }, argsOnly }: Reading): number {
  const word = line.tokenAt(line.skipBlanks(end));
  if (word.kind !== 'word' || !isRoleWord(word.value)) return end;
  if (!isBlankOrEndAt(line.text, word.end) && line.text.charAt(word.end) !== '<') return end;
  if (!argsOnly) return command !== null && isRoleCommand(command) ? word.end : end;
  // Without the command, only a role among the targets shows it.
  const targets = readTargets(line, line.skipBlanks(word.end));
  return targets.some(({ kind }) => kind === 'role') ? word.end : end;
}

function readTime({ line, head }: Reading, at: number, isAfterTarget: boolean): Duration | null {
  const duration = readDuration(line, at);
  const action = head.subcommand ?? head.command ?? '';
  return duration !== null && isTime(line, duration, action, isAfterTarget) ? duration : null;
}

/** True when a duration at this place means a time: neither an age nor the first word of a sentence. */
function isTime(line: Line, duration: Duration, action: string, isAfterTarget: boolean): boolean {
  if (duration.kind === 'timestamp') return true;
  if (duration.kind === 'length') return !(isAge(duration) && isWarning(action));
  const { word, next } = duration;
  if (word === null || !isSentence(line, next, word)) return true;
  return isAfterTarget && word.isStrong && canLast(action);
}

const AGE_YEARS_MIN = 7;
const AGE_YEARS_MAX = 17;

/** "13 years" is an age: no warning lasts that long. */
function isAge({ ms, unit }: { readonly ms: number; readonly unit: { readonly ms: number } }): boolean {
  const years = ms / UNIT_MS.year;
  return unit.ms === UNIT_MS.year && years >= AGE_YEARS_MIN && years <= AGE_YEARS_MAX;
}

/** True when the next word neither leads to a reason nor names a target: "forever alone". */
function isSentence(line: Line, at: number, { guards }: PermanentWord): boolean {
  const start = line.skipBlanks(at);
  if (!isWordAt(line.text, start) || hasLineBreak(line, at, start)) return false;
  if (readTarget(line, start, false) !== null) return false;
  const { end, value } = line.tokenAt(start);
  const isWhole = !isWordAt(line.text, end) && line.text.charAt(end) !== '-';
  return !(isWhole && guards.some(({ prepositions }) => prepositions.has(value)));
}
