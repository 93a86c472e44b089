import {
  isCloser,
  isUnspacedScript,
  isWhiteSpace,
  isWideClauseEnd,
  isWideSentenceEnd,
  isWordUnit,
} from '../markup/char-class.ts';
import { CUT } from './cut.ts';
import { passSpace } from './cut-space.ts';
import { type CutWalk, LEVEL } from './cut-walk.ts';
import { eachCluster, wordBoundaries } from './grapheme.ts';
import type { PlainSpaces } from '../markup/plain-spaces.ts';

/** The dictionary is asked once in so many units at most, and in a sixteenth of a chunk. */
const UNSPACED_STRIDE_MIN = 32;
/** So much text round a place is given to it. */
const WORDS_BEFORE = 8;
const WORDS_BEHIND = 24;

/** Passes text without marks and tokens up to `stop`; white space may lead beyond it. */
export function passText(walk: CutWalk, stop: number): void {
  const { text, cuts, level } = walk;
  const { gap } = walk.options;
  const isSparse = level === LEVEL.sparse;
  let denseFrom = isSparse ? (cuts.start[cuts.last] ?? 0) + gap : 0;
  let at = walk.at;
  while (at < stop) {
    const unit = text.charCodeAt(at);
    if (unit > 0x20 && unit < 0x80) {
      at += 1;
      continue;
    }
    if (unit === 0x20 && at < denseFrom) {
      const next = text.charCodeAt(at + 1);
      if (next > 0x20 && next < 0x80 && isWordUnit(text.charCodeAt(at - 1))) {
        walk.isThinned = true;
        at += 1;
        continue;
      }
    }
    if (isWhiteSpace(unit)) {
      passWord(walk, at);
      passSpace(walk);
      if (isSparse) denseFrom = (cuts.start[cuts.last] ?? 0) + gap;
      at = walk.at;
      continue;
    }
    at += 1;
    if (unit < 0x0e00 || level === LEVEL.clusters) continue;
    if (isWideSentenceEnd(unit) || isWideClauseEnd(unit))
      at = passWideEnd(walk, at, stop, isWideClauseEnd(unit));
    else if (isUnspacedScript(unit)) at = passUnspaced(walk, at, stop);
  }
  passWord(walk, at);
}

/** The same for long plain text, see PlainSpaces. */
export function passPlainText(walk: CutWalk, spaces: PlainSpaces, stop: number): void {
  const { cuts } = walk;
  const { gap } = walk.options;
  while (walk.at < stop) {
    const next = spaces.next(walk.at, (cuts.start[cuts.last] ?? 0) + gap);
    walk.at = Math.min(next, stop);
    walk.isThinned = true;
    if (next < stop) passSpace(walk);
  }
}

/** Moves to `to`; with cuts between the characters on the way where that is the last resort. */
function passWord(walk: CutWalk, to: number): void {
  if (to <= walk.at) return;
  const from = walk.at;
  walk.hasContent = true;
  walk.at = to;
  if (walk.level !== LEVEL.clusters) return;
  eachCluster(walk.text, from, to, walk.clusterGap, (at) => walk.addBetween(at, CUT.grapheme, true));
}

/** Behind `。` and the like, which need no space. */
function passWideEnd(walk: CutWalk, from: number, stop: number, isClause: boolean): number {
  const { text } = walk;
  let at = from;
  while (at < stop && (isCloser(text.charCodeAt(at)) || isWideSentenceEnd(text.charCodeAt(at)))) at += 1;
  walk.hasContent = true;
  if (at < stop) walk.addBetween(at, isClause ? CUT.clause : CUT.sentence);
  return at;
}

/** In a script without spaces the dictionary is asked where no cut was found for some time. */
function passUnspaced(walk: CutWalk, from: number, stop: number): number {
  const { text, cuts } = walk;
  const lastStart = cuts.start[cuts.last] ?? 0;
  const { room } = walk.options;
  if (from - lastStart < Math.min(Math.max(UNSPACED_STRIDE_MIN, room >> 4), room >> 1)) return from;
  let to = from;
  while (to < stop && to < from + WORDS_BEHIND && !isWhiteSpace(text.charCodeAt(to))) to += 1;
  walk.hasContent = true;
  let reached = from;
  for (const at of wordBoundaries(text, Math.max(lastStart, from - WORDS_BEFORE), to)) {
    if (at <= lastStart || at >= stop || !isUnspacedScript(text.charCodeAt(at - 1))) continue;
    walk.addBetween(at, CUT.word, true);
    reached = Math.max(reached, at);
  }
  // Where the dictionary knows nothing there is nothing to be found a unit further either.
  return Math.max(reached, Math.min(to, from + 8));
}
