import {
  isCloser,
  isUnspacedScript,
  isWhiteSpace,
  isWideClauseEnd,
  isWideSentenceEnd,
} from '../chars/char-class.ts';
import { clusterBoundaries } from '../chars/boundaries.ts';
import { type Cuts, cutBetween } from './make-cut.ts';
import { LEVEL, type TextWalk } from './text-walk.ts';
import { walkSpace } from './walk-space.ts';

/** All scripts before this one, Thai, have spaces between their words. */
const SPACED_END = 0x0e00;

/** Walks over text without marks and tokens up to `stop`. White space may lead beyond it. */
export function* walkText(walk: TextWalk, stop: number): Cuts {
  const { text, level, here, options } = walk;
  let { at } = here;
  while (at < stop) {
    const unit = text.charCodeAt(at);
    if (isWhiteSpace(unit)) {
      if (at > here.at) walk.passTo(at);
      const cut = walkSpace(walk);
      if (cut !== null) yield cut;
      at = here.at;
    } else if (level === LEVEL.clusters) {
      yield* walkWord(walk, stop);
      at = here.at;
    } else if (unit < SPACED_END) at += 1;
    else if (isWideSentenceEnd(unit) || isWideClauseEnd(unit)) {
      at = skipClosers(text, at + 1, stop);
      walk.passTo(at);
      const cut = at < stop ? cutBetween(walk, isWideClauseEnd(unit) ? 'clause' : 'sentence') : null;
      if (cut !== null) yield cut;
    } else {
      at += 1;
      if (at < stop && isUnspacedScript(unit)) {
        walk.passTo(at);
        const cut = options.words.has(at) ? cutBetween(walk, 'word') : null;
        if (cut !== null) yield cut;
      }
    }
  }
  if (at > here.at) walk.passTo(at);
}

/** Finds cuts between the characters up to white space, as the last resort. */
function* walkWord(walk: TextWalk, stop: number): Cuts {
  const { text, here } = walk;
  const length = text.slice(here.at, stop).search(/\s/);
  const end = length < 0 ? stop : here.at + length;
  for (const at of clusterBoundaries(text, here.at, end)) {
    walk.passTo(at);
    const cut = cutBetween(walk, 'grapheme', true);
    if (cut !== null) yield cut;
  }
  walk.passTo(end);
}

/** Closing quotes and brackets belong to `。` and the like, which need no space after them. */
function skipClosers(text: string, from: number, stop: number): number {
  let at = from;
  while (at < stop && (isCloser(text.charCodeAt(at)) || isWideSentenceEnd(text.charCodeAt(at)))) at += 1;
  return at;
}
