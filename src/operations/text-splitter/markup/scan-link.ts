import { isDigit, isWhiteSpace, isWordUnit, NEWLINE, UNDERSCORE } from '../chars/char-class.ts';

/** The parts have a greatest length, except the URL, which ends at the next `<`, `>` or white space. */
const ANGLE =
  /<(?:@[!&]?\d{1,20}|#\d{1,20}|\/[^\n<>:]{1,110}:\d{1,20}|a?:\w{1,32}:\d{1,20}|t:-?\d{1,17}(?::[a-zA-Z])?|id:[\w-]{1,40}(?::\d{1,20})?|\d{1,20}:[\w-]{1,40}(?::\d{1,20})?|[a-zA-Z][a-zA-Z\d+.-]{0,30}:\/[^\s<>]+)>/y;
const URL_BODY = /[^\s<]+/y;
const URL_TAIL = new Set('<.,:;"\')]');

/** UTF-16 code units that are searched for the end of a target, for each `](`. */
const LINK_TARGET_LENGTH_MAX = 2048;
/** Parentheses inside each other in a target. */
const LINK_DEPTH_MAX = 8;

/** The end of the mention, custom emoji, timestamp or `<url>` at `at`, or -1. */
export function endOfAngle(text: string, at: number): number {
  ANGLE.lastIndex = at;
  return ANGLE.test(text) ? ANGLE.lastIndex : -1;
}

/**
 * Returns the URL whose `://` is at `colon`, or null.
 * @param limit end of its quote
 */
export function findUrl(text: string, colon: number, limit: number): { start: number; end: number } | null {
  if (!text.startsWith('//', colon + 1)) return null;
  const scheme = schemeLength(text, colon);
  if (scheme === 0 || colon < scheme) return null;
  const from = colon + 3;
  URL_BODY.lastIndex = from;
  if (!URL_BODY.test(text)) return null;
  let end = Math.min(URL_BODY.lastIndex, limit);
  while (end > from && URL_TAIL.has(text[end - 1] ?? '')) end -= 1;
  return end > from ? { start: colon - scheme, end } : null;
}

/** The length of the `https` or `http` before `colon`, or 0. */
function schemeLength(text: string, colon: number): number {
  if (text.startsWith('https', colon - 5)) return 5;
  return text.startsWith('http', colon - 4) ? 4 : 0;
}

/** The position after the `)` of a link target that starts at `start`, or -1. */
export function endOfLinkTarget(text: string, start: number): number {
  let depth = 0;
  const limit = Math.min(text.length, start + LINK_TARGET_LENGTH_MAX);
  for (let at = start; at < limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x29) {
      if (depth === 0) return at > start ? at + 1 : -1;
      depth -= 1;
    } else if (unit === 0x28) {
      depth += 1;
      if (depth > LINK_DEPTH_MAX) return -1;
    } else if (unit === NEWLINE || (unit === 0x5d && text.charCodeAt(at + 1) === 0x28)) {
      return -1;
    }
  }
  return -1;
}

/** True when the backslash at `at` escapes the next character, which is no letter, digit or white space. */
export function isEscape(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (Number.isNaN(next) || isWhiteSpace(next) || isDigit(next)) return false;
  return next === UNDERSCORE || !isWordUnit(next);
}
