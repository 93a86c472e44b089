import { findWordEnd, isLetterOrDigitAt, skipBlanks } from './characters.ts';
import { readCommandHead } from './command.ts';
import { FlagReader, type Flag } from './flags.ts';
import { createUnitBuffer, type LineText } from './line-text.ts';
import { cutReason, emptyToNull } from './reason.ts';
import { cutOriginal, makeShadow, type ShadowText } from './shadow-text.ts';
import { readTail, type Tail } from './tail.ts';
import { findMention, findMentionStart, isUser, listMentionedIds, type Target } from './target.ts';

/** What a command line holds, as typed; null where there is nothing. */
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
  /** Null when there is no duration, when it has no end, and when its end is a timestamp. */
  readonly durationMs: number | null;
  readonly permanent: boolean;
  /** Unix seconds of a timestamp in the place of the duration. */
  readonly until: number | null;
  readonly reason: string | null;
  readonly args: readonly string[];
  /** Distinct user ids, targets first. */
  readonly mentions: readonly string[];
  readonly flags: Readonly<Record<string, true | string>>;
}

/** A line is read to its end before the next one comes. */
const buffer = createUnitBuffer();

/**
 * Takes a line apart. Its work grows with the length of the line, whatever is in it.
 * @param argsOnly the line is what follows a command, without it
 */
export function parseLine(line: string, argsOnly = false): CommandLine {
  const shadow = makeShadow(line, buffer);
  const { text } = shadow;
  const head = readCommandHead(text, argsOnly);
  const isReadable = argsOnly || head.command !== null || hasLetterOrDigit(text);
  const flagReader = new FlagReader(text);
  const tail = isReadable ? readTail(text, head, flagReader, argsOnly) : NOTHING;

  const { targets, duration } = tail;
  const user = findKind(targets, 'user') ?? findMention(text, head.argumentsStart);
  const flags = collectFlags(shadow, flagReader.flags);
  return {
    prefix: head.prefix === null ? null : cutOriginal(shadow, head.prefix),
    command: head.command,
    subcommand: head.subcommand,
    user: user === null ? null : cutOriginal(shadow, user.name),
    userId: user?.id ?? null,
    channelId: findKind(targets, 'channel')?.id ?? null,
    roleId: findKind(targets, 'role')?.id ?? null,
    duration: duration === null ? null : cutOriginal(shadow, duration),
    durationMs: duration?.kind === 'length' ? duration.ms : null,
    permanent: duration?.kind === 'permanent',
    until: duration?.kind === 'timestamp' ? duration.until : null,
    reason: cutReason(shadow, tail.reasonTexts) ?? reasonOf(flags),
    args: isReadable ? listWords(shadow, head.argumentsStart) : [],
    mentions: listUserIds(text, head.argumentsStart, targets),
    flags,
  };
}

function findKind(targets: readonly Target[], wanted: Target['kind']): Target | null {
  for (const target of targets) if (target.kind === wanted) return target;
  return null;
}

const NOTHING: Tail = { targets: [], duration: null, reasonTexts: [] };

/** Distinct ids of the targets and then of all mentions at or after `from`. */
function listUserIds(text: LineText, from: number, targets: readonly Target[]): string[] {
  const [only] = targets;
  // Most lines name one user, once.
  if (
    targets.length === 1 &&
    only !== undefined &&
    isUser(only) &&
    only.id !== null &&
    findMentionStart(text, only.end) < 0
  ) {
    const first = findMentionStart(text, from);
    if (first < 0 || first === only.name.start) return [only.id];
  }
  const targetIds = targets.filter(isUser).flatMap(({ id }) => id ?? []);
  return [...new Set([...targetIds, ...listMentionedIds(text, from)])];
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
