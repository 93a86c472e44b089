import {
  isCloser,
  isUnspacedScript,
  isWhiteSpace,
  isWideClauseEnd,
  isWideSentenceEnd,
} from '../chars/char-class.ts';
import { eachCluster, wordBoundaries } from '../chars/grapheme.ts';
import { type CutWalk, LEVEL } from './cut-walk.ts';
import { walkSpace } from './walk-space.ts';

/** The dictionary is used at most once in this many units, and once in a 64th of a chunk. */
const UNSPACED_STRIDE_MIN = 8;
/** Units that the dictionary gets before and after a place. */
const WORDS_BEFORE = 8;
const WORDS_AFTER = 24;

/** Walks over text without marks and tokens up to `stop`; white space may lead beyond it. */
export function walkText(walk: CutWalk, stop: number): void {
  const { text, level } = walk;
  const { at: begin } = walk;
  let at = begin;
  while (at < stop) {
    const unit = text.charCodeAt(at);
    if (isWhiteSpace(unit)) {
      walkWord(walk, at);
      walkSpace(walk);
      at = walk.at;
      continue;
    }
    at += 1;
    if (unit < 0x0e00 || level === LEVEL.clusters) continue;
    if (isWideSentenceEnd(unit)) at = walkWideEnd(walk, at, stop, false);
    else if (isWideClauseEnd(unit)) at = walkWideEnd(walk, at, stop, true);
    else if (isUnspacedScript(unit)) at = walkUnspaced(walk, begin, at, stop);
  }
  walkWord(walk, at);
}

/** Moves to `to`. As the last resort, adds cuts between the characters on the way. */
function walkWord(walk: CutWalk, to: number): void {
  const from = walk.at;
  if (to <= from) return;
  walk.passTo(to);
  if (walk.level !== LEVEL.clusters) return;
  eachCluster(walk.text, from, to, walk.clusterGap, (at) => walk.cutBetween(at, 'grapheme', true));
}

/** After `。` and the like, which need no space. */
function walkWideEnd(walk: CutWalk, from: number, stop: number, isClause: boolean): number {
  const { text } = walk;
  let at = from;
  while (at < stop && (isCloser(text.charCodeAt(at)) || isWideSentenceEnd(text.charCodeAt(at)))) at += 1;
  walk.passTo(at);
  if (at < stop) walk.cutBetween(at, isClause ? 'clause' : 'sentence');
  return at;
}

/**
 * In a script without spaces, uses the dictionary where no cut was found for some time.
 * @param begin start of the stretch: nothing opens or closes between it and `stop`
 */
function walkUnspaced(walk: CutWalk, begin: number, from: number, stop: number): number {
  const { text, lastStart } = walk;
  const { room } = walk.options;
  if (from - lastStart < Math.min(Math.max(UNSPACED_STRIDE_MIN, room >> 6), room >> 1)) return from;
  let to = from;
  while (to < stop && to < from + WORDS_AFTER && !isWhiteSpace(text.charCodeAt(to))) to += 1;
  walk.passTo(from);
  const words = wordBoundaries(text, Math.max(begin, lastStart, from - WORDS_BEFORE), to);
  for (const at of words) {
    if (isUnspacedScript(text.charCodeAt(at - 1))) walk.cutBetween(at, 'word', true);
  }
  // If the dictionary knows nothing here, it will not a unit further on either.
  return Math.max(words.at(-1) ?? from, Math.min(to, from + 8));
}
