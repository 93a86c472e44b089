import {
  isCloser,
  isUnspacedScript,
  isWhiteSpace,
  isWideClauseEnd,
  isWideSentenceEnd,
} from '../chars/char-class.ts';
import { clusterBoundaries, wordBoundaries } from '../chars/grapheme.ts';
import type { Cut } from './cut.ts';
import type { CutList } from './cut-list.ts';
import { type Cuts, cutBetween } from './make-cut.ts';
import { LEVEL, type TextWalk } from './text-walk.ts';
import { walkSpace } from './walk-space.ts';

/** The dictionary is used at most once in this many units, and once in a 64th of a chunk. */
const UNSPACED_STRIDE_MIN = 8;
/** Units that the dictionary gets before and after a place. */
const WORDS_BEFORE = 8;
const WORDS_AFTER = 24;

/** All scripts before this one, Thai, have spaces between their words. */
const SPACED_END = 0x0e00;

/**
 * Walks over text without marks and tokens up to `stop`; white space may lead beyond it.
 * @param cuts that were added so far
 */
export function* walkText(walk: TextWalk, stop: number, cuts: CutList): Cuts {
  const { text, level, here } = walk;
  const begin = here.at;
  let at = begin;
  while (at < stop) {
    const unit = text.charCodeAt(at);
    if (isWhiteSpace(unit)) {
      if (at > here.at) walk.passTo(at);
      yield walkSpace(walk);
      at = here.at;
    } else if (level === LEVEL.clusters) {
      yield* walkWord(walk, stop);
      at = here.at;
    } else if (unit < SPACED_END) at += 1;
    else if (isWideSentenceEnd(unit) || isWideClauseEnd(unit)) {
      at = skipClosers(text, at + 1, stop);
      walk.passTo(at);
      if (at < stop) yield cutBetween(walk, isWideClauseEnd(unit) ? 'clause' : 'sentence');
    } else if (isUnspacedScript(unit)) {
      at = yield* walkUnspaced(walk, begin, at + 1, stop, cuts.last.start);
    } else at += 1;
  }
  if (at > here.at) walk.passTo(at);
}

/** As the last resort, finds cuts between the characters up to white space. */
function* walkWord(walk: TextWalk, stop: number): Cuts {
  const { text, here, clusterGap } = walk;
  let end = here.at;
  while (end < stop && !isWhiteSpace(text.charCodeAt(end))) end += 1;
  for (const at of clusterBoundaries(text, here.at, end, clusterGap)) {
    walk.passTo(at);
    yield cutBetween(walk, 'grapheme', true);
  }
  walk.passTo(end);
}

/** `。` and the like need no space after them, but what closes belongs to them. */
function skipClosers(text: string, from: number, stop: number): number {
  let at = from;
  while (at < stop && (isCloser(text.charCodeAt(at)) || isWideSentenceEnd(text.charCodeAt(at)))) at += 1;
  return at;
}

/**
 * In a script without spaces, uses the dictionary where no cut was found for some time.
 * @param begin start of the stretch: nothing opens or closes between it and `stop`
 */
function* walkUnspaced(
  walk: TextWalk,
  begin: number,
  from: number,
  stop: number,
  lastStart: number,
): Generator<Cut | null, number> {
  const { text } = walk;
  const { room } = walk.options;
  if (from - lastStart < Math.min(Math.max(UNSPACED_STRIDE_MIN, room >> 6), room >> 1)) return from;
  let to = from;
  while (to < stop && to < from + WORDS_AFTER && !isWhiteSpace(text.charCodeAt(to))) to += 1;
  walk.passTo(from);
  const words = wordBoundaries(text, Math.max(begin, lastStart, from - WORDS_BEFORE), to);
  for (const at of words) {
    if (!isUnspacedScript(text.charCodeAt(at - 1))) continue;
    walk.passTo(at);
    yield cutBetween(walk, 'word', true);
  }
  // If the dictionary knows nothing here, it will not a unit further on either.
  return Math.max(words.at(-1) ?? from, Math.min(to, from + 8));
}
