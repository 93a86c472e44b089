import { BACKSLASH, isNoBreakSpace, isWhiteSpace, NEWLINE, SPACE } from '../markup/char-class.ts';
import { BARE_SEAM, COST, CUT, CUT_COST, type Seam } from './cut.ts';
import { type CutWalk, LEVEL } from './cut-walk.ts';
import { extendsBackwards, prepends } from './grapheme.ts';
import { type LineStart, NO_LINE, readLineStart } from '../markup/line-start.ts';
import { QUOTE } from '../markup/markup.ts';
import { someStyle } from './seam-maker.ts';
import { kindOfSpace } from './sentence.ts';

/** Begins the first line of the text. */
export function beginText(walk: CutWalk): void {
  if (walk.options.readsLines) {
    walk.line = readLineStart(walk.text, walk.at, false);
    walk.inRest = walk.line.quote === QUOTE.rest;
    walk.at = Math.max(walk.at, walk.line.contentStart);
    skipSpaces(walk);
  }
  walk.remember();
}

/** Passes the white space at the position, which is where most cuts are. */
export function passSpace(walk: CutWalk): void {
  const { text } = walk;
  backOverSpaces(walk);
  const end = walk.at;
  let next = end;
  let lastBreak = -1;
  let breaks = 0;
  let isBreakable = false;
  for (; next < text.length; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === 0x20) isBreakable = true;
    else if (unit === NEWLINE) {
      breaks += 1;
      lastBreak = next;
    } else if (!isWhiteSpace(unit)) break;
    else if (!isNoBreakSpace(unit)) isBreakable = true;
  }
  if (next === text.length) walk.at = next;
  else if (breaks > 0) passLineBreak(walk, next, lastBreak + 1, breaks);
  else passInnerSpace(walk, next, isBreakable || next - end > 2);
}

function canCut(walk: CutWalk, next: number): boolean {
  const { text, at, mark } = walk;
  const { marks } = walk.markup;
  if (!walk.hasContent || text.charCodeAt(at - 1) === BACKSLASH) return false;
  if (marks.closesAt(mark, next)) return false;
  return (
    !walk.isTouching(text.charCodeAt(at - 1), text.charCodeAt(next)) &&
    !walk.isDoubtful(at) &&
    !prepends(text, at)
  );
}

function passInnerSpace(walk: CutWalk, next: number, isBreakable: boolean): void {
  const { text, at } = walk;
  const isAllowed =
    isBreakable &&
    (walk.level >= LEVEL.words || !walk.line.isTableRow) &&
    canCut(walk, next) &&
    !extendsBackwards(text, next);
  if (!isAllowed) {
    walk.at = next;
    return;
  }
  const kind = kindOfSpace(text, at, text.charCodeAt(next));
  const isAdded = walk.add(at, next, kind, walk.costOf(kind), walk.innerSeam());
  walk.at = next;
  if (isAdded) walk.remember();
}

function passLineBreak(walk: CutWalk, next: number, lineStart: number, breaks: number): void {
  const { text, at, lineNumber } = walk;
  const { readsLines, room } = walk.options;
  const line = readsLines ? readLineStart(text, lineStart, walk.inRest) : NO_LINE;
  const keepsIndent = walk.styles === null && next - lineStart <= room >> 2;
  const start = keepsIndent ? lineStart : next;
  const seam = canCut(walk, next) ? breakSeam(walk, line) : null;
  let isAdded = false;
  if (seam !== null && (start === lineStart || !extendsBackwards(text, next))) {
    const kind = breaks > 1 ? CUT.paragraph : CUT.line;
    walk.endLine = lineNumber;
    walk.lineNumber = lineNumber + breaks;
    isAdded = walk.add(at, start, kind, costOfBreak(walk, kind, next, line, seam), seam);
    walk.endLine = -1;
  }
  walk.lineNumber = lineNumber + breaks;
  walk.line = line;
  if (line.quote === QUOTE.rest) walk.inRest = true;
  walk.forgetSeam();
  walk.at = Math.max(next, line.contentStart);
  skipSpaces(walk);
  if (isAdded) walk.remember();
}

function skipSpaces(walk: CutWalk): void {
  while (isSpaceOrTab(walk.text.charCodeAt(walk.at))) walk.at += 1;
}

/** A chunk ends before the spaces that were skipped behind the start of a line (`#`, `-`, `>`). */
function backOverSpaces(walk: CutWalk): void {
  const lastStart = walk.cuts.start[walk.cuts.last] ?? 0;
  while (walk.at > lastStart && isSpaceOrTab(walk.text.charCodeAt(walk.at - 1))) walk.at -= 1;
}

function isSpaceOrTab(unit: number): boolean {
  return unit === SPACE || unit === 0x09;
}

/** The seam of a cut between two lines; null where styles cannot go on into the next line. */
function breakSeam(walk: CutWalk, next: LineStart): Seam | null {
  const { styles, line, inRest } = walk;
  if (styles === null && !inRest) return BARE_SEAM;
  const isBlock = next.quote !== QUOTE.none || next.heading !== '' || next.isList || next.isTableRow;
  // A block must begin its line, so that styles are opened on a line before it. Italics open at text only.
  const needsLine = styles !== null && isBlock;
  if (needsLine && someStyle(styles, ({ mark }) => mark === '*')) return null;
  const isQuoted = line.quote === QUOTE.line && someStyle(styles, (style) => style.isQuoted);
  return walk.options.seams.make({
    styles,
    quote: inRest ? '>>> ' : isQuoted ? '> ' : '',
    heading: '',
    code: null,
    lead: needsLine ? '\n' : '',
  });
}

function costOfBreak(walk: CutWalk, kind: number, next: number, nextLine: LineStart, seam: Seam): number {
  const { styles, line, text, at } = walk;
  let cost = (CUT_COST[kind] ?? 0) + (styles?.depth ?? 0) * COST.inStyle;
  if (line.heading !== '' && line.heading !== '-# ') cost += COST.headingAtEnd;
  if (line.quote === QUOTE.line && nextLine.quote === QUOTE.line) cost += COST.inQuote;
  if (nextLine.isTableRow && line.isTableRow) cost += COST.inTable;
  if (nextLine.isList) cost += nextLine.indent > 0 ? COST.nestedItem : COST.inList;
  const last = text.charCodeAt(at - 1);
  if (last === 0x3a || last === 0xff1a) {
    const leadsIn = nextLine.isList || nextLine.isTableRow || nextLine.quote !== QUOTE.none;
    if (leadsIn || text.startsWith('```', next) || text.startsWith('~~~', next)) cost += COST.leadInParted;
  }
  if (seam.prefix.endsWith('\n')) cost += COST.extraLine;
  return cost;
}
