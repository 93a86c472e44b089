import {
  isCloser,
  isUnspacedScript,
  isWhiteSpace,
  isWideClauseEnd,
  isWideSentenceEnd,
  isWordUnit,
} from '../chars/char-class.ts';
import { eachCluster, wordBoundaries } from '../chars/grapheme.ts';
import type { PlainSpaces } from '../chars/plain-spaces.ts';
import { CUT } from './cut-kind.ts';
import { type CutWalk, LEVEL } from './cut-walk.ts';
import { walkSpace } from './walk-space.ts';

/** The dictionary is asked at most once in this many units, and once in a sixteenth of a chunk. */
const UNSPACED_STRIDE_MIN = 32;
/** How much text it is given before and after a place. */
const WORDS_BEFORE = 8;
const WORDS_AFTER = 24;

/** Sentences within a line this short are no better a place than its end. */
const SHORT_LINE = 160;

const SPACE = 0x20;

/** Walks over text without marks and tokens up to `stop`; white space may lead beyond it. */
export function walkText(walk: CutWalk, stop: number): void {
  const { units, level } = walk;
  let { at, wordsFrom } = walk;
  at = skipCrowded(walk, at, stop, wordsFrom);
  while (at < stop) {
    const unit = units[at] ?? 0;
    if (unit > SPACE && unit < 0x80) {
      at += 1;
      continue;
    }
    // After a letter there is neither a line nor a sentence.
    if (unit === SPACE && at < wordsFrom && at > 0 && isWordUnit(units[at - 1] ?? 0)) {
      const next = units[at + 1] ?? 0;
      if (next > SPACE && next < 0x80) {
        walk.thin();
        at += 2;
        continue;
      }
    }
    if (isWhiteSpace(unit)) {
      walkWord(walk, at);
      walkSpace(walk);
      wordsFrom = walk.wordsFrom;
      at = skipCrowded(walk, walk.at, stop, wordsFrom);
      continue;
    }
    at += 1;
    if (unit < 0x0e00 || level === LEVEL.clusters) continue;
    if (isWideSentenceEnd(unit)) at = walkWideEnd(walk, at, stop, false);
    else if (at < wordsFrom) walk.thin();
    else if (isWideClauseEnd(unit)) at = walkWideEnd(walk, at, stop, true);
    else if (isUnspacedScript(unit)) at = walkUnspaced(walk, at, stop);
    else continue;
    wordsFrom = walk.wordsFrom;
  }
  walkWord(walk, at);
}

/**
 * Moves over what is too close to the last cut for a sentence to matter. Far from where a chunk can end, the end of a
 * short line is all that counts.
 */
function skipCrowded(walk: CutWalk, at: number, stop: number, wordsFrom: number): number {
  if (at >= wordsFrom) return at;
  const { units, lineStart } = walk;
  const lineEnd = walk.lineEndAfter(at);
  const isShort = lineEnd - lineStart <= SHORT_LINE && lineEnd < wordsFrom;
  let end = Math.min(lineEnd, stop, isShort ? lineEnd : walk.crowdedUntil(CUT.sentence.cost));
  if (end <= at) return at;
  walk.thin();
  while (end > at && isWhiteSpace(units[end - 1] ?? 0)) end -= 1;
  return end;
}

/** The same for plain text, see PlainSpaces. */
export function walkPlainText(walk: CutWalk, spaces: PlainSpaces, stop: number): void {
  while (walk.at < stop) {
    const next = spaces.next(walk.at, walk.wordsFrom);
    walk.passTo(Math.min(next, stop));
    walk.thin();
    if (next < stop) walkSpace(walk);
  }
}

/** Moves to `to`; with cuts between the characters on the way where that is the last resort. */
function walkWord(walk: CutWalk, to: number): void {
  const from = walk.at;
  if (to <= from) return;
  walk.passTo(to);
  if (walk.level !== LEVEL.clusters) return;
  eachCluster(walk.text, from, to, walk.clusterGap, (at) => walk.cutBetween(at, CUT.grapheme, true));
}

/** After `。` and the like, which need no space. */
function walkWideEnd(walk: CutWalk, from: number, stop: number, isClause: boolean): number {
  const { text } = walk;
  let at = from;
  while (at < stop && (isCloser(text.charCodeAt(at)) || isWideSentenceEnd(text.charCodeAt(at)))) at += 1;
  walk.passTo(at);
  if (at < stop) walk.cutBetween(at, isClause ? CUT.clause : CUT.sentence);
  return at;
}

/** In a script without spaces the dictionary is asked where no cut was found for some time. */
function walkUnspaced(walk: CutWalk, from: number, stop: number): number {
  const { text, lastStart } = walk;
  const { room } = walk.options;
  if (from - lastStart < Math.min(Math.max(UNSPACED_STRIDE_MIN, room >> 4), room >> 1)) return from;
  let to = from;
  while (to < stop && to < from + WORDS_AFTER && !isWhiteSpace(text.charCodeAt(to))) to += 1;
  walk.passTo(from);
  let reached = from;
  for (const at of wordBoundaries(text, Math.max(lastStart, from - WORDS_BEFORE), to)) {
    if (at <= lastStart || at >= stop || !isUnspacedScript(text.charCodeAt(at - 1))) continue;
    walk.cutBetween(at, CUT.word, true);
    reached = Math.max(reached, at);
  }
  // Where the dictionary knows nothing there is nothing to be found a unit further either.
  return Math.max(reached, Math.min(to, from + 8));
}
