import { readCommand } from './command.ts';
import type { Flag } from './flags.ts';
import { Line, type Range } from './line.ts';
import { readArguments, type Arguments } from './arguments.ts';
import { findMention, isUser, listMentionedIds, type Target } from './target.ts';
import { REASON_LABELS } from './time-words.ts';
import { closersOf, findSpace, isSpaceAt, isLetterOrDigitAt, trimSpaces } from './token.ts';

/** As typed; null for missing parts. */
export interface CommandLine {
  readonly prefix: string | null;
  readonly command: string | null;
  readonly subcommand: string | null;
  readonly user: string | null;
  readonly userId: string | null;
  /** The first channel and the first role in target position. */
  readonly channelId: string | null;
  readonly roleId: string | null;
  readonly duration: string | null;
  /** null without a duration, for one without an end, and for a timestamp. */
  readonly durationMs: number | null;
  readonly isPermanent: boolean;
  /** Unix seconds of a timestamp in the position of the duration. */
  readonly until: number | null;
  readonly reason: string | null;
  readonly args: readonly string[];
  /** Distinct user ids, targets first. */
  readonly mentions: readonly string[];
  readonly flags: Readonly<Record<string, true | string>>;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Parses a line in time linear in its length.
 * @param argsOnly the line is the text after a command, without the command
 */
export function parseLine(original: string, argsOnly = false): CommandLine {
  const line = new Line(original);
  const beginning = readCommand(line, argsOnly);
  const isReadable = argsOnly || beginning.command !== null || LETTER_OR_DIGIT.test(line.text);
  const found = isReadable ? readArguments(line, beginning, argsOnly) : NO_ARGUMENTS;

  const { targets, duration } = found;
  const user = targets.find(isUser) ?? findMention(line, beginning.argumentsStart);
  const flags = collectFlags(line, found.flags);
  return {
    prefix: beginning.prefix === null ? null : line.cut(beginning.prefix),
    command: beginning.command,
    subcommand: beginning.subcommand,
    user: user === null ? null : (user.prefix ?? '') + line.cut(user.name),
    userId: user?.id ?? null,
    channelId: findId(targets, 'channel'),
    roleId: findId(targets, 'role'),
    duration: duration === null ? null : line.cut(duration),
    durationMs: duration?.kind === 'length' ? duration.ms : null,
    isPermanent: duration?.kind === 'permanent',
    until: duration?.kind === 'timestamp' ? duration.until : null,
    reason: cutReason(line, found.reasonRanges) ?? reasonOf(flags),
    args: isReadable ? listWords(line, beginning.argumentsStart) : [],
    mentions: listUserIds(line, beginning.argumentsStart, targets),
    flags,
  };
}

const NO_ARGUMENTS: Arguments = { targets: [], duration: null, reasonRanges: [], flags: [] };

function findId(targets: readonly Target[], wanted: Target['kind']): string | null {
  return targets.find(({ kind }) => kind === wanted)?.id ?? null;
}

/** Distinct ids of the targets and then of all mentions at or after `from`. */
function listUserIds(line: Line, from: number, targets: readonly Target[]): string[] {
  const ids = new Set<string>();
  for (const { kind, id } of targets) if (kind === 'user' && id !== null) ids.add(id);
  for (const id of listMentionedIds(line, from)) ids.add(id);
  return [...ids];
}

function listWords(line: Line, from: number): string[] {
  const words: string[] = [];
  for (let start = line.skipSpaces(from); start < line.length;) {
    const end = findSpace(line.text, start);
    words.push(line.cut({ start, end }));
    start = line.skipSpaces(end);
  }
  return words;
}

function collectFlags(line: Line, found: readonly Flag[]): Record<string, true | string> {
  const flags: Record<string, true | string> = {};
  for (const { name, value } of found) flags[name] = value === null || line.cut(value);
  return flags;
}

function reasonOf({ reason }: Readonly<Record<string, true | string>>): string | null {
  return typeof reason === 'string' ? reason.trim() || null : null;
}

/** The ranges of the reason, joined, as typed; null when they are empty. */
function cutReason(line: Line, texts: readonly Range[]): string | null {
  let reason = '';
  let isQuoted = false;
  let lastEnd = 0;
  for (const text of texts) {
    const textStart = line.skipSpaces(text.start);
    const end = trimSpaces(line.text, textStart, text.end);
    const start = reason === '' ? skipLabel(line, textStart, end) : textStart;
    const typed = line.cut({ start, end });
    if (typed === '') continue;
    if (reason === '') isQuoted = QUOTES.has(line.text.charAt(start));
    reason += reason === '' ? typed : spaceBetween(line, lastEnd, start) + typed;
    lastEnd = end;
  }
  return (isQuoted ? unquote(reason) : reason) || null;
}

/** The end of "reason:" before a text, or `at`. */
function skipLabel(line: Line, at: number, end: number): number {
  const word = line.tokenAt(at);
  if (!REASON_LABELS.has(word.value) || line.text.charAt(word.end) !== ':') return at;
  const next = line.skipSpaces(word.end + 1);
  return next < end ? next : at;
}

/** Finds a space to join two texts with: one from between them, or a space if a target was inside a word. */
function spaceBetween(line: Line, start: number, end: number): string {
  const at = [start, end - 1].find((edge) => isSpaceAt(line.text, edge));
  return at === undefined ? ' ' : line.cut({ start: at, end: at + 1 });
}

// After a space, phones type an opening quote where a closing one is meant.
const QUOTES = closersOf(`"" '' “”“ ”” „“ ‘’‘ «» »« 「」 『』`);

/** Removes one pair of quotes around the whole text. `"a" and "b"` keeps all four quotes. */
function unquote(reason: string): string {
  const line = new Line(reason);
  const { text } = line;
  const open = text.charAt(0);
  const closers = QUOTES.get(open) ?? '';
  const last = text.length - 1;
  if (last < 1 || !closers.includes(text.charAt(last))) return reason;
  for (let at = 1; at < last; at += 1) {
    const char = text.charAt(at);
    if ((char === open || closers.includes(char)) && !isNoQuote(text, at)) return reason;
  }
  const start = line.skipSpaces(1);
  return line.cut({ start, end: trimSpaces(text, start, last) });
}

/** True for an apostrophe between letters and a quote after a backslash, which do not open or close a quotation. */
function isNoQuote(text: string, at: number): boolean {
  const char = text.charAt(at);
  if (text.charAt(at - 1) === '\\') return true;
  return (char === "'" || char === '’') && isLetterOrDigitAt(text, at - 1) && isLetterOrDigitAt(text, at + 1);
}
