import { isWhiteSpace } from '../chars/char-class.ts';
import { nextCodePoint } from '../chars/boundaries.ts';
import { COST } from './costs.ts';
import { type Cuts, makeCut } from './make-cut.ts';
import { NO_REOPENING, type Reopening } from './reopen-markup.ts';
import type { TextWalk } from './text-walk.ts';
import { bodyStartOf } from './walk-fence.ts';

/** Finds cuts between any two code points up to `to`, as the last resort. */
export function* walkCodePoints(walk: TextWalk, to: number): Cuts {
  const { text } = walk;
  const reopening = reopeningUpTo(walk, to);
  // Skip white space, so that none is left at the ends of a chunk.
  let at = nextCodePoint(text, walk.here.at);
  while (at < to) {
    const end = at;
    while (isWhiteSpace(text.charCodeAt(at))) at += 1;
    if (at >= to) break;
    if (!isWhiteSpace(text.charCodeAt(end - 1))) {
      walk.leapTo(at);
      yield makeCut(walk, end, at, 'forced', COST.forced, reopening);
    }
    at = nextCodePoint(text, at);
  }
  walk.skipTo(to);
}

/** The reopening at every cut up to `end`, if no style opens or closes before it. */
function reopeningUpTo(walk: TextWalk, end: number): Reopening {
  const { token, nextMark } = walk;
  const { at } = walk.here;
  if (token === null || token.start >= end) return nextMark >= end ? walk.innerReopening() : NO_REOPENING;
  if (token.start >= at) return NO_REOPENING;
  if (token.kind !== 'code' && token.kind !== 'fence') return walk.innerReopening();
  const bodyStart = token.kind === 'fence' ? bodyStartOf(walk, token) : token.bodyStart;
  return end <= token.bodyEnd && at > bodyStart ? walk.codeReopening(token, '') : NO_REOPENING;
}
