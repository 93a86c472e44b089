import { BACKSLASH, BACKTICK, isDelimiter, isWhiteSpace } from '../chars/char-class.ts';
import { eachCluster, extendsBackwards } from '../chars/grapheme.ts';
import type { CodeToken, Token } from '../markup/markup.ts';
import { codeSeam } from './code-seam.ts';
import { COST, type CutKind } from './costs.ts';
import { type CutWalk, LEVEL } from './cut-walk.ts';

/** A cut after one of these in a long URL costs less. */
const URL_JOINTS = '/?&=-.';

/** Walks over the mark that opens or closes a style. */
export function walkMark(walk: CutWalk): void {
  const start = walk.nextMark;
  const isLastResort = walk.level === LEVEL.clusters;
  if (walk.closesAt(start)) {
    walk.closeStyle();
    if (isLastResort) walk.cutBetween(walk.at, 'grapheme');
    return;
  }
  if (isLastResort) walk.cutBetween(start, 'grapheme');
  walk.openStyle();
}

/** Walks over the next token, which is not a fence. One that fits a chunk stays whole. */
export function walkToken(walk: CutWalk, token: Token, to: number): void {
  const { level } = walk;
  const { start } = token;
  // A mark in a URL that closes a style ends the URL.
  const end = token.kind === 'url' ? Math.min(token.end, Math.max(walk.nextMark, start + 1)) : token.end;
  if (level >= LEVEL.words) {
    if (walk.at <= start) walk.cutBetween(start, 'grapheme');
    if (!fits(walk, start, end)) {
      if (token.kind === 'code') walkLongCode(walk, token, to);
      else if (level === LEVEL.clusters) walkLongToken(walk, Math.max(start, walk.at), Math.min(end, to));
    }
    if (end > to) {
      walk.skipTo(to);
      return;
    }
  }
  walk.passToken(end);
  if (level >= LEVEL.words) walk.cutBetween(end, 'grapheme');
}

function fits(walk: CutWalk, start: number, end: number): boolean {
  const { ruler, room } = walk.options;
  const seam = walk.innerSeam();
  return ruler.at(end) - ruler.at(start) + seam.prefixLength + seam.suffixLength <= room;
}

/** A URL, link or mention longer than a chunk. */
function walkLongToken(walk: CutWalk, from: number, to: number): void {
  const { text } = walk;
  const seam = walk.innerSeam();
  eachCluster(text, from, to, walk.clusterGap, (at) => {
    const before = text.charCodeAt(at - 1);
    if (isDelimiter(text.charCodeAt(at)) || isDelimiter(before) || before === BACKSLASH) return;
    const joint = URL_JOINTS.includes(text[at - 1] ?? ' ') ? COST.joint : 0;
    walk.cut(at, at, 'forced', COST.forced + joint, seam);
  });
}

/** Inline code longer than a chunk: first at white space, then between characters. */
function walkLongCode(walk: CutWalk, token: CodeToken, to: number): void {
  const { text } = walk;
  const { bodyStart, bodyEnd } = token;
  const limit = Math.min(to, bodyEnd);
  const seam = codeSeam(walk, token, '');
  const addCut = (end: number, start: number, kind: CutKind) => {
    if (start >= bodyEnd || text.charCodeAt(end - 1) === BACKTICK || text.charCodeAt(start) === BACKTICK)
      return;
    walk.cut(end, start, kind, COST[kind] + COST.inStyle, seam);
  };
  let at = Math.max(walk.at, bodyStart + 1);
  if (walk.level === LEVEL.clusters) {
    eachCluster(text, at, limit, walk.clusterGap, (boundary) => {
      const isSpace = isWhiteSpace(text.charCodeAt(boundary)) || isWhiteSpace(text.charCodeAt(boundary - 1));
      if (!isSpace) addCut(boundary, boundary, 'grapheme');
    });
    return;
  }
  while (at < limit) {
    if (!isWhiteSpace(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const end = at;
    while (isWhiteSpace(text.charCodeAt(at))) at += 1;
    if (!extendsBackwards(text, at)) addCut(end, at, 'space');
  }
}
