import { isSnowflake, SNOWFLAKE_DIGITS_MAX, SNOWFLAKE_DIGITS_MIN } from '../../kernel/snowflake.ts';
import type { Line, Range } from './line.ts';
import { AND_WORDS, OR_WORDS } from './time-words.ts';
import { closersOf, isTokenEnd, matchEnd, skipSentencePunctuation } from './token.ts';

export interface Target {
  readonly kind: 'user' | 'channel' | 'role';
  /** The mention, id or name itself. */
  readonly name: Range;
  /** The `@` before a name in quotes; it is not part of `name`. */
  readonly prefix?: '@';
  /** null for a name that only Discord could resolve. */
  readonly id: string | null;
  /**
   * Where reading continues: after quotes, brackets or bold marks around it, and after the characters that end a
   * sentence.
   */
  readonly end: number;
}

export function isUser({ kind }: Target): boolean {
  return kind === 'user';
}

const CLOSERS = closersOf(`"" '' \`\` () [] {} <> “” ‘’ «»`);
const BOLD = '**';

/**
 * Reads a mention of a user, channel or role, a bare id or, if `allowsNames`, an `@name`. It may be in quotes,
 * back-ticks, brackets or bold marks.
 */
export function readTarget(line: Line, at: number, allowsNames: boolean): Target | null {
  const { kind, value } = line.tokenAt(at);
  const unquoted = readUnquotedTarget(line, at, allowsNames, '');
  if (unquoted !== null) return endAt(line, unquoted, unquoted.end);
  if (kind !== 'punctuation') return null;
  const opener = line.text.startsWith(BOLD, at) ? BOLD : value;
  const closer = opener === BOLD ? BOLD : CLOSERS.get(opener);
  if (closer === undefined) return null;
  const inner = readUnquotedTarget(line, at + opener.length, allowsNames, closer);
  if (inner === null || !line.text.startsWith(closer, inner.end)) return null;
  return endAt(line, inner, inner.end + closer.length);
}

/** Phones replace two spaces by a full stop and one space, so characters that end a sentence count as a space. */
function endAt({ text }: Line, target: Target, at: number): Target {
  const end = skipSentencePunctuation(text, at);
  return end === target.end ? target : { ...target, end };
}

/** A character between an id and another target. Without a target after it, this is a path or an amount of money. */
const NEXT_TARGET = /[/&+](?=<[@#]|\d{17,20}(?![\p{L}\p{N}_]))/uy;

function readUnquotedTarget(line: Line, at: number, allowsNames: boolean, closer: string): Target | null {
  const { kind, end, value } = line.tokenAt(at);
  const name = { start: at, end };
  if (kind === 'user' || kind === 'channel' || kind === 'role') return { kind, name, id: value, end };
  if (kind === 'digits') {
    const isId = value.length >= SNOWFLAKE_DIGITS_MIN && value.length <= SNOWFLAKE_DIGITS_MAX;
    const isWhole =
      isTokenEnd(line.text, end) ||
      (closer !== '' && line.text.startsWith(closer, end)) ||
      matchEnd(NEXT_TARGET, line.text, end) > end;
    return isId && isWhole ? { kind: 'user', name, id: value, end } : null;
  }
  if (value === '-' || value === '+') {
    // `+` or `-` says whether to add or remove the role.
    const role = line.tokenAt(end);
    if (role.kind !== 'role') return null;
    return { kind: 'role', name: { start: end, end: role.end }, id: role.value, end: role.end };
  }
  // "<@" begins a mention or plain text.
  return allowsNames && value === '@' && line.text.charAt(at - 1) !== '<'
    ? readName(line.text, at, closer)
    : null;
}

const NAME = /[^ \n,;|<>()[\]{}"'`“”‘’«»]+/y;
const TRAILING_PUNCTUATION = new Set('.:!?…');
const NOT_USERS = new Set(['', 'everyone', 'here']);

function readName(text: string, at: number, closer: string): Target | null {
  const quoted = closer === '' ? readQuotedName(text, at) : null;
  if (quoted !== null) return quoted;
  const wordEnd = matchEnd(NAME, text, at + 1);
  const closerAt = closer === BOLD ? text.slice(at, wordEnd).indexOf(BOLD) : -1;
  let end = closerAt < 0 ? wordEnd : at + closerAt;
  while (TRAILING_PUNCTUATION.has(text.charAt(end - 1))) end -= 1;
  const name = text.slice(at + 1, end);
  if (NOT_USERS.has(name.toLowerCase())) return null;
  return { kind: 'user', name: { start: at, end }, id: isSnowflake(name) ? name : null, end };
}

const NAME_QUOTES = closersOf(`"" '' \`\` “”“ „“ ‘’‘ «»`);
/** Discord's limit for a name. */
const NAME_LENGTH_MAX = 32;

/** A name with spaces: `@"user name"`. */
function readQuotedName(text: string, at: number): Target | null {
  const closers = NAME_QUOTES.get(text.charAt(at + 1));
  if (closers === undefined) return null;
  const start = at + 2;
  const inside = text.slice(start, start + NAME_LENGTH_MAX + 1);
  const length = Array.from(inside).findIndex((char) => closers.includes(char) || char === '\n');
  const end = start + length;
  if (length < 1 || text.charAt(end) === '\n' || !isTokenEnd(text, end + 1)) return null;
  if (NOT_USERS.has(text.slice(start, end).trim().toLowerCase())) return null;
  return { kind: 'user', name: { start, end }, prefix: '@', id: null, end: end + 1 };
}

/**
 * The targets from `at` on, with spaces, `,` `;` `|` `&` `+` `/`, "and" or "or" between them.
 * @param allowsUsers false to read only channels and roles
 */
export function readTargets(line: Line, at: number, allowsUsers = true): Target[] {
  const targets: Target[] = [];
  let next = readListItem(line, at) ?? readTarget(line, at, allowsUsers);
  for (;;) {
    if (next === null || (isUser(next) && !allowsUsers)) return targets;
    targets.push(next);
    const end = line.skipSpaces(next.end);
    const between = skipBetweenTargets(line, end);
    next = readListItem(line, end) ?? readListItem(line, between) ?? readTarget(line, between, false);
  }
}

const BULLET = /(?:[-*+•]|\d{1,2}[.)]) +/y;

/** A target that is an item of a Markdown list, on a line of its own. */
function readListItem(line: Line, at: number): Target | null {
  const { text } = line;
  const itemStart = matchEnd(BULLET, text, at);
  if (itemStart === at || !isLineEdge(text, at, -1)) return null;
  const target = readTarget(line, itemStart, false);
  return target !== null && isLineEdge(text, target.end, 1) ? target : null;
}

/**
 * True when only spaces are between `at` and the beginning (`step` -1) or the end (1) of a line. One comma or the like
 * may also be before the end.
 */
function isLineEdge(text: string, at: number, step: 1 | -1): boolean {
  let edge = step < 0 ? at - 1 : at;
  if (step > 0 && TARGET_SEPARATORS.has(text.charAt(edge))) edge += 1;
  while (text.charAt(edge) === ' ') edge += step;
  return edge < 0 || edge >= text.length || text.charAt(edge) === '\n';
}

const TARGET_SEPARATORS = new Set(',;|&+/');

function skipBetweenTargets(line: Line, at: number): number {
  let end = at;
  if (TARGET_SEPARATORS.has(line.text.charAt(end))) end = line.skipSpaces(end + 1);
  const word = line.tokenAt(end);
  const isJoin = AND_WORDS.has(word.value) || OR_WORDS.has(word.value);
  return isJoin && line.tokenAt(word.end).kind !== 'digits' ? line.skipSpaces(word.end) : end;
}

const MENTION = /<@!?(\d{1,20})>/g;

/** The first mention of a user at or after `from`, with the quotes, brackets or bold marks that enclose just it. */
export function findMention(line: Line, from: number): (Target & Range) | null {
  const { text } = line;
  MENTION.lastIndex = from;
  const match = MENTION.exec(text);
  if (match === null) return null;
  const [mention, id = ''] = match;
  const name = { start: match.index, end: match.index + mention.length };
  const found = { kind: 'user', name, id } as const;
  for (const [opener, closer] of [[BOLD, BOLD] as const, ...CLOSERS]) {
    const start = name.start - opener.length;
    if (start >= from && text.startsWith(opener, start) && text.startsWith(closer, name.end)) {
      return { ...found, start, end: skipSentencePunctuation(text, name.end + closer.length) };
    }
  }
  return { ...found, start: name.start, end: skipSentencePunctuation(text, name.end) };
}

/** All user ids that are mentioned at or after `from`, in order. */
export function listMentionedIds({ text }: Line, from: number): string[] {
  MENTION.lastIndex = from;
  const ids: string[] = [];
  for (let match = MENTION.exec(text); match !== null; match = MENTION.exec(text)) ids.push(match[1] ?? '');
  return ids;
}
