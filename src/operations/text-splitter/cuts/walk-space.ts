import {
  BACKSLASH,
  DASH,
  GREATER,
  HASH,
  isDigit,
  isNoBreakSpace,
  isWhiteSpace,
  NEWLINE,
  SPACE,
  STAR,
} from '../chars/char-class.ts';
import { isBlock, type LineMarks, NO_LINE_MARKS, readLineMarks } from '../markup/line-start.ts';
import { COST } from './costs.ts';
import type { Cut } from './cut.ts';
import { makeCut } from './make-cut.ts';
import { NO_REOPENING, type Reopening, someStyle } from './reopen-markup.ts';
import { kindOfSpace } from './sentence.ts';
import { LEVEL, type TextWalk } from './text-walk.ts';

/** How far into a line to look for a lone marker. */
const LONE_MARKER_WITHIN = 24;

const PLUS = 0x2b;
const DOT = 0x2e;
const PARENTHESIS = 0x29;

/** Begins the first line of the text, at the position. */
export function beginText(walk: TextWalk): void {
  if (!walk.options.readsLines) return;
  const { at } = walk.here;
  const line = readLineMarks(walk.text, at, false);
  walk.beginLine(at, line);
  walk.skipTo(skipSpaces(walk.text, at + line.offset));
}

/** Walks over the white space at the position, where most cuts are. */
export function walkSpace(walk: TextWalk): Cut | null {
  const { text } = walk;
  const end = endBeforeSpaces(walk);
  let next = end;
  let lastBreak = -1;
  let breaks = 0;
  let isBreakable = false;
  for (; next < text.length; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === SPACE) isBreakable = true;
    else if (unit === NEWLINE) {
      breaks += 1;
      lastBreak = next;
    } else if (!isWhiteSpace(unit)) break;
    else if (!isNoBreakSpace(unit)) isBreakable = true;
  }
  if (next < text.length && lastBreak >= 0) return walkLineBreak(walk, end, next, lastBreak + 1, breaks > 1);
  walk.skipTo(next);
  return next < text.length && (isBreakable || next - end > 2) ? cutInner(walk, end, next) : null;
}

/** The end of a chunk before the spaces that were skipped after the start of a line (`#`, `-`, `>`). */
function endBeforeSpaces({ text, here }: TextWalk): number {
  let end = here.at;
  while (isSpaceOrTab(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

function canCut(walk: TextWalk, end: number, next: number): boolean {
  const { text } = walk;
  const before = text.charCodeAt(end - 1);
  return (
    walk.here.hasContent &&
    before !== BACKSLASH &&
    !walk.closesAt(next) &&
    !walk.isTouching(before, text.charCodeAt(next)) &&
    walk.isClusterBoundary(end)
  );
}

/** True when a chunk that ends here would end in the lone marker of a quote or of a list item. */
function isLoneMarker({ text, here, options }: TextWalk, end: number): boolean {
  const { lineStart } = here;
  if (end - lineStart > LONE_MARKER_WITHIN || !options.readsLines) return false;
  for (let at = skipSpaces(text, lineStart); at < end; at = skipSpaces(text, at)) {
    const markerEnd = endOfMarker(text, at);
    if (markerEnd === end) return true;
    if (markerEnd < 0 || !isSpaceOrTab(text.charCodeAt(markerEnd))) return false;
    at = markerEnd;
  }
  return false;
}

/** The end of `>`, `>>>`, `-`, `*`, `+`, `#`, `-#` or `12.` at `at`, or -1. */
function endOfMarker(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  let end = at + 1;
  if (unit === GREATER || unit === HASH) {
    while (end < at + 3 && text.charCodeAt(end) === unit) end += 1;
    return end;
  }
  if (unit === DASH) return text.charCodeAt(end) === HASH ? end + 1 : end;
  if (unit === STAR || unit === PLUS) return end;
  if (!isDigit(unit)) return -1;
  while (end < at + 9 && isDigit(text.charCodeAt(end))) end += 1;
  const delimiter = text.charCodeAt(end);
  return delimiter === DOT || delimiter === PARENTHESIS ? end + 1 : -1;
}

/** The cut at white space within a line. */
function cutInner(walk: TextWalk, end: number, next: number): Cut | null {
  const { text } = walk;
  const isLone = isLoneMarker(walk, end);
  const isAllowed =
    (walk.level >= LEVEL.words ||
      !(walk.here.lineMarks.isTableRow || isLone || walk.wouldBeginBlock(next))) &&
    canCut(walk, end, next) &&
    walk.isClusterBoundary(next);
  if (!isAllowed) return null;
  const kind = kindOfSpace(text, end, text.charCodeAt(next));
  const cost = walk.costOf(kind) + (isLone ? COST.loneMarker : 0);
  return makeCut(walk, end, next, kind, cost, walk.innerReopening());
}

/**
 * @param end of the text before the line break
 * @param next where the text continues
 * @param lineStart start of that line
 */
function walkLineBreak(
  walk: TextWalk,
  end: number,
  next: number,
  lineStart: number,
  isParagraph: boolean,
): Cut | null {
  const { text, here } = walk;
  const { readsLines, capacity } = walk.options;
  const line = readsLines ? readLineMarks(text, lineStart, here.inMultilineQuote) : NO_LINE_MARKS;
  const to = skipSpaces(text, Math.max(next, lineStart + line.offset));
  let cut: Cut | null = null;
  const isLone = isLoneMarker(walk, end);
  if (walk.level >= LEVEL.words || !isLone) {
    const keepsIndent = here.styles === null && next - lineStart <= capacity >> 2;
    const start = keepsIndent ? lineStart : next;
    const reopening = canCut(walk, end, next) ? breakReopening(walk, line) : null;
    if (reopening !== null && (start === lineStart || walk.isClusterBoundary(next))) {
      const kind = isParagraph ? 'paragraph' : 'line';
      const cost =
        COST[kind] + extraCostOfBreak(walk, end, next, line, reopening) + (isLone ? COST.loneMarker : 0);
      cut = makeCut(walk, end, start, kind, cost, reopening);
    }
  }
  walk.beginLine(lineStart, line);
  walk.skipTo(to);
  return cut;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (isSpaceOrTab(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpaceOrTab(unit: number): boolean {
  return unit === SPACE || unit === 0x09;
}

/** The reopening of a cut between two lines, or null if styles cannot continue in the next line. */
function breakReopening(walk: TextWalk, next: LineMarks): Reopening | null {
  const { styles, lineMarks, inMultilineQuote } = walk.here;
  if (styles === null && !inMultilineQuote) return NO_REOPENING;
  // A block must begin its line, so styles are opened on a line before it. Italics open only before text.
  const needsLine = styles !== null && isBlock(next);
  if (needsLine && someStyle(styles, ({ mark }) => mark === '*')) return null;
  const isQuoted = lineMarks.quote === 'line' && someStyle(styles, (style) => style.isQuoted);
  const lineQuote = isQuoted ? '> ' : '';
  return walk.options.reopener.make({
    styles,
    quote: inMultilineQuote ? '>>> ' : lineQuote,
    heading: '',
    code: null,
    lead: needsLine ? '\n' : '',
  });
}

/**
 * The cost of a cut between two lines, besides its kind.
 * @param next where the text continues, with `nextLine`
 */
function extraCostOfBreak(
  { text, here }: TextWalk,
  end: number,
  next: number,
  nextLine: LineMarks,
  reopening: Reopening,
): number {
  const { styles, lineMarks } = here;
  let cost = (styles?.depth ?? 0) * COST.inStyle;
  if (lineMarks.heading !== '' && lineMarks.heading !== '-# ') cost += COST.headingAtEnd;
  if (lineMarks.quote === 'line' && nextLine.quote === 'line') cost += COST.inQuote;
  if (nextLine.isTableRow && lineMarks.isTableRow) cost += COST.inTable;
  if (nextLine.isListItem) cost += nextLine.isNested ? COST.nestedItem : COST.inList;
  const last = text.charCodeAt(end - 1);
  if (last === 0x3a || last === 0xff1a) {
    const leadsIn = nextLine.isListItem || nextLine.isTableRow || nextLine.quote !== 'none';
    if (leadsIn || text.startsWith('```', next) || text.startsWith('~~~', next)) cost += COST.afterIntroLine;
  }
  if (reopening.prefix.endsWith('\n')) cost += COST.extraLine;
  return cost;
}
