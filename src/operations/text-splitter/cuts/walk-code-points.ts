import { isWhiteSpace } from '../chars/char-class.ts';
import { nextCodePoint } from '../chars/boundaries.ts';
import { COST } from './costs.ts';
import { type Cuts, makeCut } from './make-cut.ts';
import { BARE_SEAM, type Seam } from './seam.ts';
import type { TextWalk } from './text-walk.ts';
import { bodyStartOf } from './walk-fence.ts';

/** When nothing else fits: finds cuts between any two code points up to `to`. */
export function* walkCodePoints(walk: TextWalk, to: number): Cuts {
  const { text } = walk;
  const seam = seamUpTo(walk, to);
  // White space is skipped, so that none is left at the ends of a chunk.
  let at = nextCodePoint(text, walk.here.at);
  while (at < to) {
    const end = at;
    while (isWhiteSpace(text.charCodeAt(at))) at += 1;
    if (at >= to) break;
    if (!isWhiteSpace(text.charCodeAt(end - 1))) {
      walk.leapTo(at);
      yield makeCut(walk, end, at, 'forced', COST.forced, seam);
    }
    at = nextCodePoint(text, at);
  }
  walk.skipTo(to);
}

/** The seam for the whole stretch up to `end`, when nothing opens or closes in it. */
function seamUpTo(walk: TextWalk, end: number): Seam {
  const { token, nextMark } = walk;
  const { at } = walk.here;
  if (token === null || token.start >= end) return nextMark >= end ? walk.innerSeam() : BARE_SEAM;
  if (token.start >= at) return BARE_SEAM;
  if (token.kind !== 'code' && token.kind !== 'fence') return walk.innerSeam();
  const bodyStart = token.kind === 'fence' ? bodyStartOf(walk, token) : token.bodyStart;
  return end <= token.bodyEnd && at > bodyStart ? walk.codeSeam(token, '') : BARE_SEAM;
}
