import { isAt, isBlank, isLetterOrDigitAt, skipBlanks, trimBlanksBefore, unitPairsOf } from './characters.ts';
import type { LineText } from './line-text.ts';
import { cutOriginal, makeShadow, type Range, type ShadowText } from './shadow-text.ts';

/** The texts that make up the reason, joined, as typed; null when nothing is left. */
export function cutReason(shadow: ShadowText, texts: readonly Range[]): string | null {
  let reason = '';
  let isQuoted = false;
  let lastEnd = 0;
  for (const { start, end } of texts) {
    const first = skipBlanks(shadow.text, start);
    const range = { start: first, end: trimBlanksBefore(shadow.text, first, end) };
    const text = cutOriginal(shadow, range);
    if (text === '') continue;
    if (reason === '') isQuoted = QUOTES.has(shadow.text.unitAt(first));
    reason += reason === '' ? text : findBlankBetween(shadow, lastEnd, range.start) + text;
    lastEnd = range.end;
  }
  return emptyToNull(isQuoted ? unquote(reason) : reason);
}

/** Two texts are joined by a blank that was between them, or by a space where a target was inside a word. */
function findBlankBetween(shadow: ShadowText, start: number, end: number): string {
  for (const at of [start, end - 1]) {
    if (isBlank(shadow.text.unitAt(at))) return cutOriginal(shadow, { start: at, end: at + 1 });
  }
  return ' ';
}

const QUOTES = unitPairsOf(['""', "''", '“”', '””', '„“', '‘’', '«»', '»«', '「」', '『』']);

/** Takes off one pair of quotes around the whole; `"a" and "b"` keeps its four. */
function unquote(reason: string): string {
  const shadow = makeShadow(reason, null);
  const { text } = shadow;
  const open = text.unitAt(0);
  const close = QUOTES.get(open);
  const last = text.length - 1;
  if (close === undefined || last < 1 || text.unitAt(last) !== close) return reason;
  for (let at = 1; at < last; at += 1) {
    const unit = text.unitAt(at);
    if ((unit === open || unit === close) && !isInner(text, at)) return reason;
  }
  const start = skipBlanks(text, 1);
  return cutOriginal(shadow, { start, end: trimBlanksBefore(text, start, last) });
}

/** Neither an apostrophe between letters nor a quote after a backslash opens or closes anything. */
function isInner(text: LineText, at: number): boolean {
  if (isAt(text, at - 1, '\\')) return true;
  const isApostrophe = isAt(text, at, "'") || isAt(text, at, '’');
  return isApostrophe && isLetterOrDigitAt(text, at - 1) && isLetterOrDigitAt(text, at + 1);
}

export function emptyToNull(text: string): string | null {
  return text === '' ? null : text;
}
