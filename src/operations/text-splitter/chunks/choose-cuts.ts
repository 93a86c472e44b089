import { COST, CUT } from '../cuts/cut-kind.ts';
import type { CutTable } from '../cuts/cut-table.ts';
import type { Preference } from '../split-options.ts';

/** One more chunk weighs more than the costs of all cuts, and a cut against a hard preference more than all chunks. */
const CHUNK_WEIGHT = 2 ** 26;
const HARD_WEIGHT = 2 ** 40;
/** A cut inside what should stay whole weighs more than all chunks, but less than a cut against a preference. */
const HELD_WEIGHT = 2 ** 36;

const WORST_RANK: Readonly<Record<Preference, number>> = {
  fewest: CUT.forced.rank,
  balanced: CUT.forced.rank,
  paragraph: CUT.paragraph.rank,
  line: CUT.line.rank,
  sentence: CUT.sentence.rank,
  word: CUT.space.rank,
};

/** Where the best cut leaves too many lines, at most this many cuts before it are looked at one by one. */
const NEAREST_MAX = 64;

export interface ChooseOptions {
  /** Largest length of a chunk, without what is written on each chunk. */
  readonly room: number;
  readonly prefer: Preference;
  readonly maxLines: number | null;
  /** 1 for each cut that is inside something that should stay whole; null if nothing should. */
  readonly held: Uint8Array | null;
}

/**
 * Chooses the cuts with the fewest chunks, and among these the best cuts, in one pass: the best way to each cut
 * goes through the best of the cuts that are near enough. These are kept as a staircase: a cut that reaches less
 * far back and is not cheaper can never be the best again, so both columns ascend and a binary search finds it.
 */
export class CutChooser {
  readonly #cuts: CutTable;
  readonly #options: ChooseOptions;
  readonly #worst: number;
  readonly #total: Float64Array;
  readonly #from: Int32Array;
  /** Cuts on the staircase with their reach and total, both ascending; those before #first are out of reach for good. */
  readonly #stairs: Int32Array;
  readonly #stairReach: Int32Array;
  readonly #stairTotal: Float64Array;
  #stairCount = 1;
  #first = 0;
  #next = 1;
  /** The next cut to become a stair. */
  #waiting = 1;

  constructor(cuts: CutTable, options: ChooseOptions) {
    const { count } = cuts;
    this.#cuts = cuts;
    this.#options = options;
    this.#worst = WORST_RANK[options.prefer];
    this.#total = new Float64Array(count);
    this.#from = new Int32Array(count).fill(-1);
    // The first stair is the start of the text.
    this.#stairs = new Int32Array(count);
    this.#stairReach = new Int32Array(count);
    this.#stairTotal = new Float64Array(count);
    this.#stairReach[0] = cuts.reach(0);
  }

  /** Looks at `count` more cuts; true when all are done. */
  advance(count: number): boolean {
    const last = this.#cuts.last;
    const stop = Math.min(last, this.#next + count);
    for (; this.#next < stop; this.#next += 1) this.#reach(this.#next);
    if (this.#next < last) return false;
    this.#reachEnd(last);
    return true;
  }

  /** The chosen cuts from the start to the end of the text, both included; null when there is no way. */
  path(): number[] | null {
    const path: number[] = [];
    for (let cut = this.#cuts.last; cut > 0; cut = this.#from[cut] ?? -1) path.push(cut);
    if (path.length > 0 && this.#from[path.at(-1) ?? 0] !== 0) return null;
    path.push(0);
    return path.reverse();
  }

  #reach(cut: number): void {
    const cuts = this.#cuts;
    const { room, maxLines } = this.#options;
    // No chunk is between two cuts that touch.
    for (; this.#waiting < cut && cuts.start(this.#waiting) < cuts.end(cut); this.#waiting += 1) {
      if ((this.#from[this.#waiting] ?? -1) >= 0) this.#addStair(this.#waiting);
    }
    const need = cuts.need(cut);
    const earliest = need - cuts.seam(cut).suffixLength - room;
    while (this.#first < this.#stairCount && (this.#stairReach[this.#first] ?? 0) < earliest)
      this.#first += 1;
    const stair = this.#findStair(need - room, cut);
    if (stair < 0) return;
    let from = this.#stairs[stair] ?? 0;
    let before = this.#stairTotal[stair] ?? 0;
    if (maxLines !== null && cuts.linesBetween(from, cut) > maxLines) {
      from = this.#findNearest(need - room, cut, maxLines) ?? from;
      before = this.#total[from] ?? 0;
      before += HARD_WEIGHT * Math.max(0, cuts.linesBetween(from, cut) - maxLines);
    }
    const isHard = cuts.rank(cut) > this.#worst;
    const isHeld = this.#options.held?.[cut] === 1;
    const total =
      before + CHUNK_WEIGHT + cuts.cost(cut) + (isHard ? HARD_WEIGHT : 0) + (isHeld ? HELD_WEIGHT : 0);
    this.#from[cut] = from;
    this.#total[cut] = total;
  }

  /** The cheapest of the last cuts before `cut` that leaves few enough lines; the staircase may have left it out. */
  #findNearest(threshold: number, cut: number, maxLines: number): number | null {
    let best: number | null = null;
    const nearest = this.#waiting - 1;
    for (let from = nearest; from >= 0 && from >= cut - NEAREST_MAX; from -= 1) {
      if (this.#cuts.linesBetween(from, cut) > maxLines) break;
      const isReached = from === 0 || (this.#from[from] ?? -1) >= 0;
      if (!isReached || this.#cuts.reach(from) < threshold) continue;
      if (best === null || (this.#total[from] ?? 0) < (this.#total[best] ?? 0)) best = from;
    }
    return best;
  }

  /** The stair of the cheapest cut that reaches back to `threshold` only, or -1. */
  #findStair(threshold: number, cut: number): number {
    const reach = this.#stairReach;
    const { maxLines } = this.#options;
    let low = this.#first;
    let high = this.#stairCount;
    if (low === high) return -1;
    // Most cuts write nothing, and then the first stair is the one.
    if ((reach[low] ?? 0) >= threshold) high = low;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((reach[middle] ?? 0) < threshold) low = middle + 1;
      else high = middle;
    }
    if (low === this.#stairCount) return -1;
    if (maxLines === null) return low;
    high = this.#stairCount - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#cuts.linesBetween(this.#stairs[middle] ?? 0, cut) > maxLines) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #addStair(cut: number): void {
    const total = this.#total[cut] ?? 0;
    const stairs = this.#stairs;
    const reaches = this.#stairReach;
    const totals = this.#stairTotal;
    const count = this.#stairCount;
    const reach = this.#cuts.reach(cut);
    let place = count;
    while (place > this.#first && (reaches[place - 1] ?? 0) > reach) place -= 1;
    if (place < count && (totals[place] ?? 0) <= total) return;
    let keep = place;
    while (keep > this.#first && (totals[keep - 1] ?? 0) >= total) keep -= 1;
    if (place < count) {
      for (const column of [stairs, reaches, totals]) column.copyWithin(keep + 1, place, count);
    }
    stairs[keep] = cut;
    reaches[keep] = reach;
    totals[keep] = total;
    this.#stairCount = count - (place - keep) + 1;
  }

  /** The last chunk may start at any cut that is near enough; a very short one costs extra. */
  #reachEnd(last: number): void {
    const cuts = this.#cuts;
    const { room, maxLines } = this.#options;
    const end = cuts.need(last);
    const threshold = end - room;
    const short = room / 8;
    let best = Infinity;
    for (let cut = last - 1; cut >= 0 && cuts.startLength(cut) >= threshold - room; cut -= 1) {
      if (cuts.reach(cut) < threshold || (cut > 0 && (this.#from[cut] ?? -1) < 0)) continue;
      const length = end - cuts.startLength(cut);
      let total = (this.#total[cut] ?? 0) + CHUNK_WEIGHT;
      if (length < short && cut > 0) total += COST.shortLastChunk * (1 - length / short);
      if (maxLines !== null) total += HARD_WEIGHT * Math.max(0, cuts.linesBetween(cut, last) - maxLines);
      if (total >= best) continue;
      best = total;
      this.#from[last] = cut;
    }
  }
}
