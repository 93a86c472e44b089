import { findWordEnd, isLetterOrDigitAt, skipBlanks } from './characters.ts';
import { readCommandHead } from './command.ts';
import { readDuration, type Duration } from './duration.ts';
import { FlagReader, type Flag } from './flags.ts';
import { createUnitBuffer, type LineText } from './line-text.ts';
import { cutReason, emptyToNull } from './reason.ts';
import { skipAttachedSeparator, skipSeparator } from './separator.ts';
import { cutOriginal, makeShadow, type Range, type ShadowText } from './shadow-text.ts';
import { findMention, findMentionStart, listMentionedIds, readTargets, type Target } from './target.ts';

/** What a command line holds, as typed; null where there is nothing. */
export interface CommandLine {
  readonly prefix: string | null;
  readonly command: string | null;
  readonly subcommand: string | null;
  readonly user: string | null;
  readonly userId: string | null;
  readonly duration: string | null;
  /** Null when there is no duration or it has no end. */
  readonly durationMs: number | null;
  readonly permanent: boolean;
  readonly reason: string | null;
  readonly args: readonly string[];
  /** Distinct user ids, targets first. */
  readonly mentions: readonly string[];
  readonly flags: Readonly<Record<string, true | string>>;
}

interface Tail {
  readonly targets: readonly Target[];
  readonly duration: Duration | null;
  readonly reasonTexts: readonly Range[];
}

/** A line is read to its end before the next one comes. */
const buffer = createUnitBuffer();

/** Takes a line apart. Its work grows with the length of the line, whatever is in it. */
export function parseLine(line: string): CommandLine {
  const shadow = makeShadow(line, buffer);
  const { text } = shadow;
  const head = readCommandHead(text);
  const isReadable = head.command !== null || hasLetterOrDigit(text);
  const flagReader = new FlagReader(text);
  const tail = isReadable ? readTail(text, head.end, flagReader) : NOTHING;

  const target = tail.targets[0] ?? findMention(text, head.argumentsStart);
  const flags = collectFlags(shadow, flagReader.flags);
  return {
    prefix: head.prefix === null ? null : cutOriginal(shadow, head.prefix),
    command: head.command,
    subcommand: head.subcommand,
    user: target === null ? null : cutOriginal(shadow, target.name),
    userId: target?.id ?? null,
    duration: tail.duration === null ? null : cutOriginal(shadow, tail.duration),
    durationMs: tail.duration?.ms ?? null,
    permanent: tail.duration !== null && tail.duration.ms === null,
    reason: cutReason(shadow, tail.reasonTexts) ?? reasonOf(flags),
    args: isReadable ? listWords(shadow, head.argumentsStart) : [],
    mentions: listUserIds(text, head.argumentsStart, tail.targets),
    flags,
  };
}

const NOTHING: Tail = { targets: [], duration: null, reasonTexts: [] };

/** The three orders: target first, duration first, or a mention somewhere in the text. */
function readTail(text: LineText, start: number, flagReader: FlagReader): Tail {
  const base = flagReader.takeFrom(skipAttachedSeparator(text, start, false));
  const first = skipSeparator(text, base);
  const targets = readTargets(text, first);
  if (targets.length > 0) {
    const flagsEnd = flagReader.takeFrom(endOf(targets));
    const duration = readDuration(text, skipSeparator(text, flagsEnd));
    return { targets, duration, reasonTexts: readRest(text, duration, flagsEnd, flagReader) };
  }
  const duration = readDuration(text, first);
  if (duration !== null) {
    const flagsEnd = flagReader.takeFrom(duration.end);
    const reversed = readTargets(text, skipSeparator(text, flagsEnd, flagsEnd === duration.end));
    if (reversed.length > 0) {
      const reasonTexts = readRest(text, null, flagReader.takeFrom(endOf(reversed)), flagReader);
      return { targets: reversed, duration, reasonTexts };
    }
    return readLate(text, skipSeparator(text, flagsEnd, flagsEnd === duration.end), duration, flagReader);
  }
  return readLate(text, base, null, flagReader);
}

/** The reason behind the last target or, if there is one, the duration. */
function readRest(text: LineText, duration: Duration | null, at: number, flagReader: FlagReader): Range[] {
  const flagsEnd = duration === null ? at : flagReader.takeFrom(duration.end);
  const start = skipSeparator(text, flagsEnd, flagsEnd === duration?.end);
  return [{ start, end: flagReader.takeTrailing(start) }];
}

function readLate(text: LineText, start: number, early: Duration | null, flagReader: FlagReader): Tail {
  const end = flagReader.takeTrailing(start);
  const mention = findMention(text, start);
  if (mention === null || mention.end > end) {
    return { targets: [], duration: early, reasonTexts: [{ start, end }] };
  }
  const afterMention = skipSeparator(text, mention.end);
  const late = early === null ? readDuration(text, afterMention) : null;
  const restStart = late === null ? afterMention : skipSeparator(text, late.end, true);
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

/** Distinct ids of the targets and then of all mentions at or after `from`. */
function listUserIds(text: LineText, from: number, targets: readonly Target[]): string[] {
  const [only] = targets;
  // Most lines name one user, once.
  if (
    targets.length === 1 &&
    only !== undefined &&
    only.id !== null &&
    findMentionStart(text, only.end) < 0
  ) {
    const first = findMentionStart(text, from);
    if (first < 0 || first === only.name.start) return [only.id];
  }
  return [...new Set([...targets.flatMap(({ id }) => id ?? []), ...listMentionedIds(text, from)])];
}

function hasLetterOrDigit(text: LineText): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (isLetterOrDigitAt(text, at)) return true;
  }
  return false;
}

function listWords(shadow: ShadowText, start: number): string[] {
  const words: string[] = [];
  const { text, offsets } = shadow;
  for (let at = skipBlanks(text, start); at < text.length;) {
    const end = findWordEnd(text, at);
    words.push(offsets === null ? text.slice(at, end) : cutOriginal(shadow, { start: at, end }));
    at = skipBlanks(text, end);
  }
  return words;
}

function collectFlags(shadow: ShadowText, found: readonly Flag[]): Record<string, true | string> {
  const flags: Record<string, true | string> = {};
  for (const { name, value } of found) flags[name] = value === null ? true : cutOriginal(shadow, value);
  return flags;
}

function reasonOf({ reason }: Readonly<Record<string, true | string>>): string | null {
  return typeof reason === 'string' ? emptyToNull(reason.trim()) : null;
}
