import {
  BACKSLASH,
  BACKTICK,
  isDelimiter,
  isWhiteSpace,
  PIPE,
  STAR,
  TILDE,
  UNDERSCORE,
} from '../markup/char-class.ts';
import { COST, CUT, CUT_COST, type Seam } from './cut.ts';
import { type CutWalk, LEVEL } from './cut-walk.ts';
import { eachCluster, extendsBackwards } from './grapheme.ts';
import { QUOTE, TOKEN } from '../markup/markup.ts';

/** What a long URL costs less to be cut behind. */
const URL_JOINTS = '/?&=-.';
const JOINT_BONUS = 100;

/** The marks of one and of two characters, by the code of the character. */
const MARKS: readonly [Readonly<Record<number, string>>, Readonly<Record<number, string>>] = [
  { [STAR]: '*', [UNDERSCORE]: '_' },
  { [STAR]: '**', [UNDERSCORE]: '__', [TILDE]: '~~', [PIPE]: '||' },
];

/** Passes the mark that opens or closes a style. */
export function passMark(walk: CutWalk): void {
  const { marks } = walk.markup;
  const start = marks.start.at(walk.mark);
  const length = marks.length.at(walk.mark);
  if (length > 0 && walk.level === LEVEL.clusters) walk.addBetween(start, CUT.grapheme);
  const isQuoted = marks.isQuoted.at(walk.mark) === 1;
  walk.mark += 1;
  walk.forgetSeam();
  if (length > 0) {
    const mark = MARKS[length === 1 ? 0 : 1][walk.text.charCodeAt(start)] ?? '';
    walk.styles = { mark, isQuoted, outer: walk.styles, depth: (walk.styles?.depth ?? 0) + 1 };
    walk.hasContent = false;
    walk.at = start + length;
    return;
  }
  walk.styles = walk.styles?.outer ?? null;
  walk.hasContent = true;
  walk.at = start - length;
  if (walk.level === LEVEL.clusters) walk.addBetween(walk.at, CUT.grapheme);
}

/** Passes a token that is no fence. One that fits a chunk stays whole. */
export function passToken(walk: CutWalk, index: number, to: number): void {
  const { tokens, marks } = walk.markup;
  const { level } = walk;
  const kind = tokens.kind.at(index);
  const start = tokens.start.at(index);
  let end = tokens.end.at(index);
  // A style that is closed by what stands in a URL ends the URL.
  if (kind === TOKEN.url) end = Math.min(end, Math.max(marks.start.at(walk.mark), start + 1));
  if (level >= LEVEL.words) {
    if (walk.at <= start) walk.addBetween(start, CUT.grapheme);
    if (!fits(walk, start, end)) {
      if (kind === TOKEN.code) passLongCode(walk, index, to);
      else if (level === LEVEL.clusters) passLongToken(walk, Math.max(start, walk.at), Math.min(end, to));
    }
    if (end > to) {
      walk.at = to;
      return;
    }
  }
  walk.hasContent = true;
  walk.at = end;
  walk.token += 1;
  if (level >= LEVEL.words) walk.addBetween(end, CUT.grapheme);
}

function fits(walk: CutWalk, start: number, end: number): boolean {
  const { ruler, room } = walk.options;
  const seam = walk.innerSeam();
  return ruler.at(end) - ruler.at(start) + seam.prefixLength + seam.suffixLength <= room;
}

/** A URL, link or mention longer than a chunk. */
function passLongToken(walk: CutWalk, from: number, to: number): void {
  const { text } = walk;
  const seam = walk.innerSeam();
  eachCluster(text, from, to, walk.clusterGap, (at) => {
    const before = text.charCodeAt(at - 1);
    if (isDelimiter(text.charCodeAt(at)) || isDelimiter(before) || before === BACKSLASH) return;
    const bonus = URL_JOINTS.includes(text[at - 1] ?? ' ') ? JOINT_BONUS : 0;
    addWithin(walk, at, at, CUT.forced, (CUT_COST[CUT.forced] ?? 0) - bonus, seam);
  });
}

/** Inline code longer than a chunk: first at white space, then between characters. */
function passLongCode(walk: CutWalk, index: number, to: number): void {
  const { text } = walk;
  const { tokens } = walk.markup;
  const bodyEnd = tokens.bodyEnd.at(index);
  const limit = Math.min(to, bodyEnd);
  const seam = codeSeam(walk, index, '');
  const addCut = (end: number, start: number, kind: number) => {
    if (start >= bodyEnd || text.charCodeAt(end - 1) === BACKTICK || text.charCodeAt(start) === BACKTICK)
      return;
    addWithin(walk, end, start, kind, (CUT_COST[kind] ?? 0) + COST.inStyle, seam);
  };
  let at = Math.max(walk.at, tokens.bodyStart.at(index) + 1);
  if (walk.level === LEVEL.clusters) {
    eachCluster(text, at, limit, walk.clusterGap, (boundary) => {
      const isSpace = isWhiteSpace(text.charCodeAt(boundary)) || isWhiteSpace(text.charCodeAt(boundary - 1));
      if (!isSpace) addCut(boundary, boundary, CUT.grapheme);
    });
    return;
  }
  while (at < limit) {
    if (!isWhiteSpace(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const end = at;
    while (at < limit && isWhiteSpace(text.charCodeAt(at))) at += 1;
    if (!extendsBackwards(text, at)) addCut(end, at, CUT.space);
  }
}

/** Adds a cut in the middle of what is being passed. */
export function addWithin(
  walk: CutWalk,
  end: number,
  start: number,
  kind: number,
  cost: number,
  seam: Seam,
): void {
  if (!walk.add(end, start, kind, cost, seam)) return;
  walk.at = start;
  walk.remember();
}

/** The seam of a cut in a token of code. @param lead what begins the next chunk's first line of code */
export function codeSeam(walk: CutWalk, index: number, lead: string): Seam {
  const { tokens } = walk.markup;
  const start = tokens.start.at(index);
  const length = tokens.run.at(index);
  const isFence = tokens.kind.at(index) === TOKEN.fence;
  // In mode `code` the fence is not part of the text.
  const isWritten = tokens.bodyStart.at(index) > start;
  return walk.options.seams.make({
    styles: walk.styles,
    quote: walk.quote(),
    heading: isFence ? '' : walk.line.heading,
    code: {
      run: isWritten ? walk.text.slice(start, start + length) : '`'.repeat(length),
      language: tokens.language.get(index) ?? '',
      isFence,
    },
    lead,
  });
}

/** The sign that begins each line of a quoted block of code. */
export function quoteOfLine(walk: CutWalk): string {
  return walk.line.quote === QUOTE.line ? '> ' : '';
}
