import { isSnowflake } from '../../snowflake.ts';
import {
  findWordEnd,
  isAndAt,
  isAsciiLetter,
  isAt,
  isDigit,
  isLetterOrDigitAt,
  skipBlanks,
  unitPairsOf,
} from './characters.ts';
import type { LineText } from './line-text.ts';
import { isTokenEnd } from './separator.ts';
import type { Range } from './shadow-text.ts';
import { UnitSet } from './unit-set.ts';

export interface Target {
  readonly kind: 'user' | 'channel' | 'role';
  /** The mention, id or name itself. */
  readonly name: Range;
  /** Null for a name that only Discord could resolve. */
  readonly id: string | null;
  /** After the closing quote or bracket, if there is one. */
  readonly end: number;
}

export function isUser({ kind }: Target): boolean {
  return kind === 'user';
}

const ID_DIGITS_MAX = 20;
const SNOWFLAKE_DIGITS_MIN = 17;
const WRAPPERS = unitPairsOf(['""', "''", '``', '()', '[]', '{}', '<>', '“”', '‘’', '«»']);
/** Two of these are bold marks. */
const BOLD = 42;
const NAME_ENDS = new UnitSet(`,;|<>()[]{}"'\`“”‘’«»`);
const NAME_TAIL = new UnitSet('.:!?');

/** A mention of a user. */
export function readMention(text: LineText, at: number): Target | null {
  if (!isAt(text, at, '<') || !isAt(text, at + 1, '@')) return null;
  return readMentionOf(text, 'user', at, isAt(text, at + 2, '!') ? at + 3 : at + 2);
}

function readMentionOf(text: LineText, kind: Target['kind'], at: number, idStart: number): Target | null {
  let idEnd = idStart;
  while (idEnd - idStart < ID_DIGITS_MAX && isDigit(text.unitAt(idEnd))) idEnd += 1;
  if (idEnd === idStart || !isAt(text, idEnd, '>')) return null;
  const end = idEnd + 1;
  return { kind, name: { start: at, end }, id: text.slice(idStart, idEnd), end };
}

/** The first `<@` at or after `from`, or -1. */
export function findMentionStart(text: LineText, from: number): number {
  return text.indexOfPair(60, 64, from);
}

/** The first mention at or after `from`, with the quotes, brackets or bold marks that enclose just it. */
export function findMention(text: LineText, from: number): (Target & { readonly start: number }) | null {
  for (let at = findMentionStart(text, from); at >= 0; at = findMentionStart(text, at + 2)) {
    const mention = readMention(text, at);
    if (mention === null) continue;
    if (at - 2 >= from && isBoldAt(text, at - 2) && isBoldAt(text, mention.end)) {
      return { ...mention, start: at - 2, end: mention.end + 2 };
    }
    const closer = at > from ? WRAPPERS.get(text.unitAt(at - 1)) : undefined;
    const isWrapped = closer !== undefined && text.unitAt(mention.end) === closer;
    return isWrapped ? { ...mention, start: at - 1, end: mention.end + 1 } : { ...mention, start: at };
  }
  return null;
}

/** All user ids that are mentioned at or after `from`, in order. */
export function listMentionedIds(text: LineText, from: number): string[] {
  const ids: string[] = [];
  for (let at = findMentionStart(text, from); at >= 0; at = findMentionStart(text, at + 2)) {
    const id = readMention(text, at)?.id;
    if (id !== null && id !== undefined) ids.push(id);
  }
  return ids;
}

/** A mention of a user, channel or role, a bare id or, where `names` is true, an `@name`; in quotes, back-ticks, brackets or bold marks or without. */
export function readTarget(text: LineText, at: number, names: boolean): Target | null {
  // Most words are ruled out by their first letter.
  if (at >= text.length || isAsciiLetter(text.unitAt(at))) return null;
  const bare = readBareTarget(text, at, names, null);
  if (bare !== null) return bare;
  if (isBoldAt(text, at)) {
    const inner = readBareTarget(text, at + 2, names, BOLD);
    return inner !== null && isBoldAt(text, inner.end) ? { ...inner, end: inner.end + 2 } : null;
  }
  const closer = WRAPPERS.get(text.unitAt(at));
  if (closer === undefined) return null;
  const inner = readBareTarget(text, at + 1, names, closer);
  if (inner === null || text.unitAt(inner.end) !== closer) return null;
  return { ...inner, end: inner.end + 1 };
}

function isBoldAt(text: LineText, at: number): boolean {
  return text.unitAt(at) === BOLD && text.unitAt(at + 1) === BOLD;
}

function readBareTarget(text: LineText, at: number, names: boolean, closer: number | null): Target | null {
  if (isAt(text, at, '<')) {
    const mention = readMention(text, at);
    if (mention !== null) return mention;
    if (isAt(text, at + 1, '#')) return readMentionOf(text, 'channel', at, at + 2);
    return isAt(text, at + 1, '@') && isAt(text, at + 2, '&')
      ? readMentionOf(text, 'role', at, at + 3)
      : null;
  }
  if (isAt(text, at, '@')) return names && !isAt(text, at - 1, '<') ? readName(text, at, closer) : null;
  if (!isDigit(text.unitAt(at))) return null;
  let end = at + 1;
  while (end - at <= ID_DIGITS_MAX && isDigit(text.unitAt(end))) end += 1;
  if (end - at < SNOWFLAKE_DIGITS_MIN || end - at > ID_DIGITS_MAX) return null;
  if (!isTokenEnd(text, end) && text.unitAt(end) !== closer) return null;
  return { kind: 'user', name: { start: at, end }, id: text.slice(at, end), end };
}

function readName(text: LineText, at: number, closer: number | null): Target | null {
  const wordEnd = findWordEnd(text, at);
  let end = at + 1;
  const isEnd = (unitEnd: number) =>
    NAME_ENDS.has(text.unitAt(unitEnd)) || (closer === BOLD && isBoldAt(text, unitEnd));
  while (end < wordEnd && !isEnd(end)) end += 1;
  while (end > at + 1 && NAME_TAIL.has(text.unitAt(end - 1))) end -= 1;
  const name = text.slice(at + 1, end);
  if (name === '' || /^(?:everyone|here)$/i.test(name)) return null;
  const id = isSnowflake(name) ? name : null;
  return { kind: 'user', name: { start: at, end }, id, end };
}

/**
 * The targets from `at` on, with what may be between them: blanks, `,` `;` `|` `&` `+` `/`, "and".
 * @param users whether users count, and not only channels and roles
 */
export function readTargets(text: LineText, at: number, users = true): Target[] {
  let next = readTarget(text, at, users);
  if (next === null || (!users && next.kind === 'user')) return [];
  const targets = [next];
  while (next.end < text.length) {
    next = readTarget(text, skipBetweenTargets(text, next.end), false);
    if (next === null || (!users && next.kind === 'user')) break;
    targets.push(next);
  }
  return targets;
}

const BETWEEN = new UnitSet(',;|&+/');

function skipBetweenTargets(text: LineText, at: number): number {
  let end = skipBlanks(text, at);
  if (BETWEEN.has(text.unitAt(end))) end = skipBlanks(text, end + 1);
  if (isAndAt(text, end) && !isLetterOrDigitAt(text, end + 3)) {
    end = skipBlanks(text, end + 3);
  }
  return end;
}
