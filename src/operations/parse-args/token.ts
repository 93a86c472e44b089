// Tokens of a normalised text. Its only white space is spaces and newlines.

/** Text that Discord renders has the kind of the rendered object. */
type TokenKind =
  | 'end'
  | 'space'
  | 'word'
  | 'digits'
  | 'user'
  | 'channel'
  | 'role'
  | 'timestamp'
  | 'emoji'
  | 'punctuation';

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** A word in lower case with composed accents; digits; an id; the seconds of a timestamp; a punctuation character. */
  readonly value: string;
}

export function readToken(text: string, at: number): Token {
  if (at >= text.length) return { kind: 'end', start: at, end: at, value: '' };
  const unit = text.charCodeAt(at);
  if (isSpace(unit)) return { kind: 'space', start: at, end: skipSpaces(text, at), value: '' };
  if (isDigit(unit)) {
    let end = at + 1;
    while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
    return { kind: 'digits', start: at, end, value: text.slice(at, end) };
  }
  const wordEnd = findWordEnd(text, at);
  if (wordEnd > at)
    return { kind: 'word', start: at, end: wordEnd, value: foldWord(text.slice(at, wordEnd)) };
  const markup = unit === LESS_THAN ? readMarkup(text, at) : null;
  if (markup !== null) return markup;
  const end = at + (text.codePointAt(at) === unit ? 1 : 2);
  return { kind: 'punctuation', start: at, end, value: text.slice(at, end) };
}

const LESS_THAN = 60;

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isAsciiLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

const WORD = /[[\p{L}\p{M}\p{N}]--[0-9]]+/vy;

function findWordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isAsciiLetter(text.charCodeAt(end))) end += 1;
  return end < text.length && text.charCodeAt(end) >= 0x80 ? matchEnd(WORD, text, at) : end;
}

/**
 * Normalises a word for the tables: in lower case, with composed accents, and without the dot that Turkish İ leaves.
 */
function foldWord(word: string): string {
  const lower = word.toLowerCase();
  return ASCII.test(lower) ? lower : lower.normalize('NFC').replaceAll('i\u0307', 'i');
}

const ASCII = /^[\0-\x7f]*$/;

// A channel of another server carries the server's id and its own name.
const MARKUP =
  /<(?:@!?(\d{1,20})|@&(\d{1,20})|#(\d{1,20})(?::\d{1,20}:[^<>\n]{1,100})?|t:(-?\d{1,13})(?::[tTdDfFsSR])?|a?:\w{1,32}:\d{1,20})>/y;

function readMarkup(text: string, start: number): Token | null {
  MARKUP.lastIndex = start;
  const match = MARKUP.exec(text);
  if (match === null) return null;
  const end = MARKUP.lastIndex;
  const [, user, role, channel, timestamp] = match;
  if (user !== undefined) return { kind: 'user', start, end, value: user };
  if (role !== undefined) return { kind: 'role', start, end, value: role };
  if (channel !== undefined) return { kind: 'channel', start, end, value: channel };
  return timestamp === undefined
    ? { kind: 'emoji', start, end, value: '' }
    : { kind: 'timestamp', start, end, value: timestamp };
}

/** The end of a match of the sticky expression at `at`, or `at`. */
export function matchEnd(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

export function skipSpaces(text: string, at: number): number {
  let end = at;
  while (end < text.length && isSpace(text.charCodeAt(end))) end += 1;
  return end;
}

/** Trims spaces before `end`, but not before `start`. Returns the new end. */
export function trimSpaces(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isSpace(text.charCodeAt(last - 1))) last -= 1;
  return last;
}

/** The next space from `at` on, or the end of the text. */
export function findSpace(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isSpace(text.charCodeAt(end))) end += 1;
  return end;
}

export function isSpaceAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && isSpace(text.charCodeAt(at));
}

export function isSpaceOrEndAt(text: string, at: number): boolean {
  return at >= text.length || isSpaceAt(text, at);
}

/**
 * The characters that may close what each character opens.
 * @param groups an opening character and its closing ones, with a space between the groups
 */
export function closersOf(groups: string): ReadonlyMap<string, string> {
  return new Map(groups.split(' ').map((group) => [group.charAt(0), group.slice(1)]));
}

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/uy;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/uy;
const EMOJI_OR_SYMBOL = /[[\p{So}\p{Sk}\p{Extended_Pictographic}]--\p{ASCII}]/vy;

/** True for a letter, digit or mark of any script, and for the underscore, which all continue a word. */
export function isWordAt(text: string, at: number): boolean {
  return matchEnd(WORD_CHARACTER, text, at) > at;
}

/** A letter or digit of any script, without combining marks and the underscore. */
export function isLetterOrDigitAt(text: string, at: number): boolean {
  return matchEnd(LETTER_OR_DIGIT, text, at) > at;
}

const TOKEN_ENDS = new Set(`,;|—–"“”«»\`<>()[]{}`);
export const SENTENCE_ENDS = /[.!?…]+/y;

/**
 * True when a token that ends at `at` is complete there: `7d`, `7d,` and `7d.` are, `7dx`, `7d-old`, `24/7` are not.
 */
export function isTokenEnd(text: string, at: number): boolean {
  if (isSpaceOrEndAt(text, at)) return true;
  const char = text.charAt(at);
  if (TOKEN_ENDS.has(char)) return true;
  if (char === ':') return !isDigit(text.charCodeAt(at + 1));
  const sentenceEnd = matchEnd(SENTENCE_ENDS, text, at);
  if (sentenceEnd > at) return !isWordAt(text, sentenceEnd);
  return matchEnd(EMOJI_OR_SYMBOL, text, at) > at;
}

/**
 * The end of characters that end a sentence, or of a colon or semicolon, if a space or the end of the text follows;
 * else `at`.
 */
export function skipSentencePunctuation(text: string, at: number): number {
  if (isSpaceOrEndAt(text, at)) return at;
  const char = text.charAt(at);
  const end = char === ':' || char === ';' ? at + 1 : matchEnd(SENTENCE_ENDS, text, at);
  return isSpaceOrEndAt(text, end) ? end : at;
}

/** True when only the end of a sentence and spaces follow. */
export function isSentenceOver(text: string, at: number): boolean {
  return skipSpaces(text, matchEnd(SENTENCE_ENDS, text, skipSpaces(text, at))) >= text.length;
}
