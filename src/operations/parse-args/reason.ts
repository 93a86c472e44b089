import { Line, type Range } from './line.ts';
import { closersOf, isBlankAt, isLetterOrDigitAt, trimBlanks } from './token.ts';

/** The texts of the reason, joined, as typed; null when nothing is left. */
export function cutReason(line: Line, texts: readonly Range[]): string | null {
  let reason = '';
  let isQuoted = false;
  let lastEnd = 0;
  for (const text of texts) {
    const start = line.skipBlanks(text.start);
    const end = trimBlanks(line.text, start, text.end);
    const typed = line.cut({ start, end });
    if (typed === '') continue;
    if (reason === '') isQuoted = QUOTES.has(line.text.charAt(start));
    reason += reason === '' ? typed : findBlankBetween(line, lastEnd, start) + typed;
    lastEnd = end;
  }
  return emptyToNull(isQuoted ? unquote(reason) : reason);
}

/** Two texts are joined by a blank from between them, or by a space if a target was inside a word. */
function findBlankBetween(line: Line, start: number, end: number): string {
  const at = [start, end - 1].find((edge) => isBlankAt(line.text, edge));
  return at === undefined ? ' ' : line.cut({ start: at, end: at + 1 });
}

const QUOTES = closersOf(`"" '' “” ”” „“ ‘’ «» »« 「」 『』`);

/** Takes off one pair of quotes around the whole; `"a" and "b"` keeps its four. */
function unquote(reason: string): string {
  const line = new Line(reason);
  const { text } = line;
  const open = text.charAt(0);
  const close = QUOTES.get(open);
  const last = text.length - 1;
  if (close === undefined || last < 1 || text.charAt(last) !== close) return reason;
  for (let at = 1; at < last; at += 1) {
    const sign = text.charAt(at);
    if ((sign === open || sign === close) && !isInner(text, at)) return reason;
  }
  const start = line.skipBlanks(1);
  return line.cut({ start, end: trimBlanks(text, start, last) });
}

/** Neither an apostrophe between letters nor a quote after a backslash opens or closes anything. */
function isInner(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (text.charAt(at - 1) === '\\') return true;
  return (sign === "'" || sign === '’') && isLetterOrDigitAt(text, at - 1) && isLetterOrDigitAt(text, at + 1);
}

export function emptyToNull(text: string): string | null {
  return text === '' ? null : text;
}
