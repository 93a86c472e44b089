import { isHighSurrogate, isPairedLowSurrogate } from './char-class.ts';

const SEGMENTERS = new Map<Granularity, Intl.Segmenter>();

type Granularity = 'grapheme' | 'word';

/** Segmenters are made on first use. The first one takes tens of milliseconds, which would delay the start. */
function segmentsOf(text: string, granularity: Granularity): Intl.Segments {
  let segmenter = SEGMENTERS.get(granularity);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter('en', { granularity });
    SEGMENTERS.set(granularity, segmenter);
  }
  return segmenter.segment(text);
}

/** The segmenter gets this many code units at a time, because a longer text is expensive to set up and to free. */
const WINDOW = 1024;
/** Whether a position is a boundary depends on at most this many code units before and after it. */
const CONTEXT = 64;

/** Finds where the grapheme clusters or the words of a text begin, even in scripts without spaces. */
export class Boundaries {
  readonly #text: string;
  readonly #granularity: Granularity;
  #start = 0;
  #segments: Intl.Segments | null = null;

  constructor(text: string, granularity: Granularity) {
    this.#text = text;
    this.#granularity = granularity;
  }

  /** Fast in ascending order. */
  has(at: number): boolean {
    const window = this.#windowFor(at);
    const offset = at - this.#start;
    return window.containing(offset)?.index === offset;
  }

  #windowFor(at: number): Intl.Segments {
    const offset = at - this.#start;
    const isInside = (offset >= CONTEXT || this.#start === 0) && offset < WINDOW - CONTEXT;
    if (this.#segments !== null && isInside) return this.#segments;
    this.#start = Math.max(0, at - CONTEXT);
    this.#segments = segmentsOf(this.#text.slice(this.#start, this.#start + WINDOW), this.#granularity);
    return this.#segments;
  }
}

/** The first code unit that may join its neighbours in one cluster, apart from CR LF. */
export const FIRST_JOINING_UNIT = 0x300;

/**
 * Boundaries of clusters between `from` and `to`, excluding both, in ascending order.
 * @param from a boundary
 */
export function* clusterBoundaries(text: string, from: number, to: number): Generator<number, void> {
  // Most words need no segmenter, which costs more than the rest of the walk.
  let at = from;
  while (at < to && text.charCodeAt(at) < FIRST_JOINING_UNIT && text.charCodeAt(at) !== 0x0d) at += 1;
  if (at === to) {
    for (at = from + 1; at < to; at += 1) yield at;
    return;
  }
  for (const { index } of segmentsOf(text.slice(from, to), 'grapheme')) if (index > 0) yield from + index;
}

/** The next boundary between code points after `at`. */
export function nextCodePoint(text: string, at: number): number {
  return at + (isHighSurrogate(text.charCodeAt(at)) && isPairedLowSurrogate(text, at + 1) ? 2 : 1);
}
