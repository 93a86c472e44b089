import { isHighSurrogate } from './char-class.ts';
import { isSecondHalf } from './length-unit.ts';

const SEGMENTERS = new Map<'grapheme' | 'word', Intl.Segmenter>();

/** Segmenters are made on first use: the first one takes tens of milliseconds, and no start should wait for that. */
function segmentsOf(text: string, granularity: 'grapheme' | 'word'): Intl.Segments {
  let segmenter = SEGMENTERS.get(granularity);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter('en', { granularity });
    SEGMENTERS.set(granularity, segmenter);
  }
  return segmenter.segment(text);
}

/** The segmenter gets at most this much at once, unless a single cluster is longer. */
const WINDOW = 256;

const EXTENDS = /^(?:\p{M}|\p{Emoji_Modifier}|\u200c|\u200d|\uff9e|\uff9f)/u;
const PREPENDS = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}]$/u;

/**
 * Units that join neither the text before nor the text after them, so that between two of them no segmenter is needed:
 * Latin, Greek, Cyrillic, Hebrew and Arabic letters, kana, ideographs, Hangul syllables.
 */
function isLoner(unit: number): boolean {
  if (unit < 0x300) return unit !== 0xa9 && unit !== 0xae && unit !== 0x0d && unit !== 0xad;
  return (
    (unit >= 0x370 && unit < 0x483) ||
    (unit >= 0x48a && unit < 0x530) ||
    (unit >= 0x5d0 && unit < 0x5eb) ||
    (unit >= 0x620 && unit < 0x64b) ||
    (unit >= 0x3041 && unit < 0x3097) ||
    (unit >= 0x30a1 && unit < 0x30fb) ||
    (unit >= 0x3001 && unit < 0x302a) ||
    (unit >= 0x3400 && unit < 0xa000) ||
    (unit >= 0xac00 && unit < 0xd7a4) ||
    (unit >= 0xff01 && unit < 0xff9e)
  );
}

/** True when the character at `at`, after white space, belongs to that white space (a combining mark, a joiner). */
export function extendsBackwards(text: string, at: number): boolean {
  return text.charCodeAt(at) >= 0x300 && EXTENDS.test(text.slice(at, at + 2));
}

/** True when the character before `at` takes in the next one, whichever it is. */
export function prepends(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) >= 0x600 && PREPENDS.test(text.slice(Math.max(0, at - 2), at));
}

/** Emoji of the supplementary planes, without the skin tones that join the text before them. */
function isEmojiAt(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  if (high === 0xd83c) return low >= 0xdf00 && !(low >= 0xdffb && low <= 0xdfff);
  return (high === 0xd83d || high === 0xd83e) && low >= 0xdc00;
}

/** True when a cluster surely begins at `at`. Does not need the segmenter; false when only that could say. */
function isSureBoundary(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (isLoner(after)) {
    if (isLoner(before)) return true;
    // Leading Hangul letters join syllables, carriage returns line feeds.
    if (after < 0xac00 ? before === 0x0d : (before >= 0x1100 && before < 0x1160) || before >= 0xa960)
      return false;
    return !prepends(text, at);
  }
  return isEmojiAt(text, at) && before !== 0x200d && !prepends(text, at);
}

/** True when `at` is between two clusters. Looks at a small window around it only. */
export function isClusterBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length || isSureBoundary(text, at)) return true;
  if (isSecondHalf(text, at)) return false;
  let start = at - 1;
  while (start > 0 && at - start < WINDOW && !isSureBoundary(text, start)) start -= 1;
  if (isSecondHalf(text, start)) start -= 1;
  return segmentsOf(text.slice(start, at + 8), 'grapheme').containing(at - start)?.index === at - start;
}

/** Where clusters are long the gap is wider, because the segmenter is needed each time. */
const SLOW_GAP_FACTOR = 8;
const CLUSTER_LENGTH_MAX = 65_536;

/**
 * Boundaries of clusters within `from … to`, both ends left out, in ascending order.
 * @param from a boundary
 * @param gap smallest distance between two of them; 1 gives all
 */
export function* clusterBoundaries(
  text: string,
  from: number,
  to: number,
  gap: number,
): Generator<number, void> {
  let at = from;
  while (at + gap < to) {
    let next = at + gap;
    const limit = gap === 1 ? next : Math.min(to, next + gap);
    while (next < limit && !isSureBoundary(text, next)) next += 1;
    if (isSureBoundary(text, next)) at = next;
    else if (gap === 1) {
      const reached = yield* allClusters(text, at, to);
      if (reached < 0) return;
      at = reached;
      continue;
    } else at = nextBoundary(text, at, Math.min(to - 1, at + gap * SLOW_GAP_FACTOR));
    if (at < 0 || at >= to) return;
    yield at;
  }
}

/** The last boundary up to `target` after the boundary `at`, or the next one; -1 when it is too far. */
function nextBoundary(text: string, at: number, target: number): number {
  for (let window = target - at + 32; ; window *= 2) {
    const segment = segmentsOf(text.slice(at, at + window), 'grapheme').containing(target - at);
    if (segment === undefined) return -1;
    if (segment.index > 0) return at + segment.index;
    const { length } = segment.segment;
    if (length < window || at + length === text.length) return at + length;
    if (window > CLUSTER_LENGTH_MAX) return -1;
  }
}

/**
 * All boundaries after `at` until the text can be read without the segmenter again.
 * @returns the last one, or -1 at the end
 */
function* allClusters(text: string, from: number, to: number): Generator<number, number> {
  for (let window = WINDOW; ; window *= 2) {
    const end = Math.min(to, from + window);
    let last = from;
    let loners = 0;
    for (const { index, segment } of segmentsOf(text.slice(from, end), 'grapheme')) {
      const isLast = index + segment.length === end - from;
      // The end of the window may have cut the last cluster.
      if (index > 0 && (!isLast || end === to)) {
        last = from + index;
        yield last;
      }
      // Back to the fast way as soon as there are no clusters any more.
      loners = segment.length === 1 && isLoner(segment.charCodeAt(0)) ? loners + 1 : 0;
      if (loners > 4 && !isLast) return last;
    }
    if (end === to) return -1;
    if (last > from) return last;
    if (window > CLUSTER_LENGTH_MAX) return -1;
  }
}

/** Boundaries between words of a script without spaces, by dictionary, within `from … to`. */
export function wordBoundaries(text: string, from: number, to: number): number[] {
  const start = isSecondHalf(text, from) ? from - 1 : from;
  const found: number[] = [];
  for (const { index } of segmentsOf(text.slice(start, to), 'word')) if (index > 0) found.push(start + index);
  // If `from` is within a cluster, so may be the first ones; the last one may be the window's own cut.
  const first = found.findIndex((at) => isClusterBoundary(text, at));
  return first < 0 ? [] : found.slice(first, -1);
}

/** The next boundary between code points after `at`. */
export function nextCodePoint(text: string, at: number): number {
  return at + (isHighSurrogate(text.charCodeAt(at)) && isSecondHalf(text, at + 1) ? 2 : 1);
}
