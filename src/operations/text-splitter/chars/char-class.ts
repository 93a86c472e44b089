/** The classes of UTF-16 code units that splitting needs. */

export const NEWLINE = 0x0a;
export const SPACE = 0x20;
export const BACKSLASH = 0x5c;
export const BACKTICK = 0x60;
export const STAR = 0x2a;
export const UNDERSCORE = 0x5f;
export const TILDE = 0x7e;
export const PIPE = 0x7c;
export const GREATER = 0x3e;
export const HASH = 0x23;
export const DASH = 0x2d;

/** White space as `String.prototype.trim` understands it. A chunk of white space alone is blank. */
export function isWhiteSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0xa0) return false;
  return (
    unit === 0xa0 ||
    unit === 0x3000 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x1680 ||
    unit === 0xfeff
  );
}

/** White space that holds two words together, so text is not cut there. */
export function isNoBreakSpace(unit: number): boolean {
  return unit === 0xa0 || unit === 0x202f || unit === 0x2007 || unit === 0xfeff;
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** `\w` of a regular expression without flags, as in Discord's own rule for `_`. */
export function isWordUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || isDigit(unit) || unit === UNDERSCORE
  );
}

export function isDelimiter(unit: number): boolean {
  return unit === STAR || unit === UNDERSCORE || unit === TILDE || unit === PIPE;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** True for the low surrogate of a pair. */
export function isPairedLowSurrogate(text: string, at: number): boolean {
  return isLowSurrogate(text.charCodeAt(at)) && at > 0 && isHighSurrogate(text.charCodeAt(at - 1));
}

/** A surrogate outside a pair counts as one. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (!isPairedLowSurrogate(text, at)) count += 1;
  return count;
}

/** A letter of a script that is written without spaces, so that text is cut between its words by dictionary. */
export function isUnspacedScript(unit: number): boolean {
  return (
    (unit >= 0x0e00 && unit <= 0x0eff) || // Thai, Lao
    (unit >= 0x1000 && unit <= 0x109f) || // Myanmar
    (unit >= 0x1780 && unit <= 0x17ff) || // Khmer
    (unit >= 0x3040 && unit <= 0x30ff) || // kana
    (unit >= 0x3400 && unit <= 0x9fff) ||
    (unit >= 0xf900 && unit <= 0xfaff)
  );
}

/** Characters that never join their neighbours in one cluster: ideographs, kana, wide letters and punctuation. */
export function standsAlone(unit: number): boolean {
  return (
    (unit >= 0x3001 && unit <= 0x3029) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x309b && unit <= 0x30ff) ||
    (unit >= 0x3400 && unit <= 0x9fff) ||
    (unit >= 0xff01 && unit <= 0xff9d)
  );
}

/** `。！？…` and their half-width forms end a sentence without a space after them. */
export function isWideSentenceEnd(unit: number): boolean {
  return unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff61;
}

export function isWideClauseEnd(unit: number): boolean {
  return unit === 0x3001 || unit === 0xff0c || unit === 0xff1b || unit === 0xff1a || unit === 0xff64;
}

/** `.!?…؟۔।॥။።` and the wide ones: before white space these end a sentence. */
export function isSentenceEnd(unit: number): boolean {
  if (unit < 0x80) return unit === 0x2e || unit === 0x21 || unit === 0x3f;
  return (
    unit === 0x2026 ||
    unit === 0x061f ||
    unit === 0x06d4 ||
    unit === 0x0964 ||
    unit === 0x0965 ||
    unit === 0x104b ||
    unit === 0x1362 ||
    unit === 0x203c ||
    (unit >= 0x2047 && unit <= 0x2049) ||
    isWideSentenceEnd(unit)
  );
}

/** `,;:–—،؛` and the wide ones. */
export function isClauseEnd(unit: number): boolean {
  if (unit < 0x80) return unit === 0x2c || unit === 0x3b || unit === 0x3a;
  return unit === 0x2013 || unit === 0x2014 || unit === 0x060c || unit === 0x061b || isWideClauseEnd(unit);
}

/** Closing quotes and brackets, which stay with the sentence before them. */
export function isCloser(unit: number): boolean {
  if (unit < 0x80) return unit === 0x22 || unit === 0x27 || unit === 0x29 || unit === 0x5d || unit === 0x7d;
  return (
    unit === 0x201d ||
    unit === 0x2019 ||
    unit === 0xbb ||
    unit === 0x203a ||
    (unit >= 0x3009 && unit <= 0x3011 && unit % 2 === 1) ||
    unit === 0x3015 ||
    unit === 0x3017 ||
    unit === 0x3019 ||
    unit === 0x301b ||
    unit === 0xff09 ||
    unit === 0xff3d ||
    unit === 0xff5d ||
    unit === 0xff63
  );
}
