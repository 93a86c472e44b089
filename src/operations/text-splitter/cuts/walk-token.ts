import { BACKSLASH, BACKTICK, isDelimiter, isWhiteSpace } from '../chars/char-class.ts';
import { clusterBoundaries } from '../chars/boundaries.ts';
import type { CodeToken, Token } from '../markup/markup.ts';
import { COST, type CutKind } from './costs.ts';
import { type Cuts, cutBetween, makeCut } from './make-cut.ts';
import { LEVEL, type TextWalk } from './text-walk.ts';

/** A cut after one of these in a long URL costs less. */
const URL_SEPARATORS = '/?&=-.';

/** Walks over the mark that opens or closes a style. */
export function* walkMark(walk: TextWalk): Cuts {
  const isLastResort = walk.level === LEVEL.clusters;
  const closes = walk.closesAt(walk.nextMark);
  if (closes) walk.closeStyle();
  const cut = isLastResort ? cutBetween(walk, 'grapheme') : null;
  if (cut !== null) yield cut;
  if (!closes) walk.openStyle();
}

/** Walks over the next token, which is not a fence. A token that fits a chunk stays whole. */
export function* walkToken(walk: TextWalk, token: Token, to: number): Cuts {
  const { level } = walk;
  const { start } = token;
  // A mark in a URL that closes a style ends the URL.
  const end = token.kind === 'url' ? Math.min(token.end, Math.max(walk.nextMark, start + 1)) : token.end;
  if (level >= LEVEL.words) {
    const before = walk.here.at <= start ? cutBetween(walk, 'grapheme') : null;
    if (before !== null) yield before;
    if (!fits(walk, start, end)) {
      if (token.kind === 'code') yield* walkLongCode(walk, token, to);
      else if (level === LEVEL.clusters) yield* walkLongToken(walk, Math.min(end, to));
    }
    if (end > to) {
      walk.skipTo(to);
      return;
    }
  }
  walk.passToken(end);
  const after = level >= LEVEL.words ? cutBetween(walk, 'grapheme') : null;
  if (after !== null) yield after;
}

function fits(walk: TextWalk, start: number, end: number): boolean {
  const reopening = walk.innerReopening();
  return end - start + reopening.prefixLength + reopening.suffixLength <= walk.options.capacity;
}

/** Cuts a URL, link or mention that is longer than a chunk. */
function* walkLongToken(walk: TextWalk, to: number): Cuts {
  const { text } = walk;
  const reopening = walk.innerReopening();
  for (const at of clusterBoundaries(text, walk.here.at, to)) {
    const before = text.charCodeAt(at - 1);
    if (isDelimiter(text.charCodeAt(at)) || isDelimiter(before) || before === BACKSLASH) continue;
    const discount = URL_SEPARATORS.includes(text[at - 1] ?? ' ') ? COST.urlSeparator : 0;
    walk.skipTo(at);
    yield makeCut(walk, at, at, 'forced', COST.forced + discount, reopening);
  }
}

/** Walks over inline code longer than a chunk: first to white space, then between characters. */
function* walkLongCode(walk: TextWalk, token: CodeToken, to: number): Cuts {
  const { text } = walk;
  const { bodyStart, bodyEnd } = token;
  const limit = Math.min(to, bodyEnd);
  const reopening = walk.codeReopening(token, '');
  const cutAt = function* (end: number, start: number, kind: CutKind): Cuts {
    const isBesideTick = text.charCodeAt(end - 1) === BACKTICK || text.charCodeAt(start) === BACKTICK;
    if (start >= bodyEnd || isBesideTick) return;
    walk.skipTo(start);
    yield makeCut(walk, end, start, kind, COST[kind] + COST.inStyle, reopening);
  };
  let at = Math.max(walk.here.at, bodyStart + 1);
  if (walk.level === LEVEL.clusters) {
    for (const boundary of clusterBoundaries(text, at, limit)) {
      const isSpace = isWhiteSpace(text.charCodeAt(boundary)) || isWhiteSpace(text.charCodeAt(boundary - 1));
      if (!isSpace) yield* cutAt(boundary, boundary, 'grapheme');
    }
    return;
  }
  while (at < limit) {
    if (!isWhiteSpace(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const end = at;
    while (isWhiteSpace(text.charCodeAt(at))) at += 1;
    if (walk.isClusterBoundary(at)) yield* cutAt(end, at, 'space');
  }
}
