import { COST, CUT } from './cut.ts';
import type { CutList } from './cut-list.ts';
import type { Preference } from '../split-options.ts';

/** A chunk weighs more than all costs of its cuts can; a cut against a hard preference more than all chunks. */
const CHUNK_WEIGHT = 2 ** 26;
const HARD_WEIGHT = 2 ** 40;

const WORST_KIND: Record<Preference, number> = {
  fewest: CUT.forced,
  balanced: CUT.forced,
  paragraph: CUT.paragraph,
  line: CUT.line,
  sentence: CUT.sentence,
  word: CUT.space,
};

export interface ChooseOptions {
  /** Largest length of a chunk, without what is written on each chunk. */
  readonly room: number;
  readonly prefer: Preference;
  readonly maxLines: number | null;
}

/**
 * Chooses the cuts with the fewest chunks, and among these the best cuts, in one pass: the best way to each cut
 * goes through the best of the cuts that are near enough. These are kept as a staircase: whoever reaches less
 * far back and is not cheaper can never be the best again, so both columns ascend and a binary search finds it.
 */
export class CutChooser {
  readonly #cuts: CutList;
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

  constructor(cuts: CutList, options: ChooseOptions) {
    this.#cuts = cuts;
    this.#options = options;
    this.#worst = WORST_KIND[options.prefer];
    this.#total = new Float64Array(cuts.count);
    this.#from = new Int32Array(cuts.count).fill(-1);
    this.#stairs = new Int32Array(cuts.count);
    this.#stairReach = new Int32Array(cuts.count);
    this.#stairTotal = new Float64Array(cuts.count);
    this.#stairReach[0] = cuts.reach[0] ?? 0;
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
    const { endLength, need, kind, cost } = this.#cuts;
    const { room } = this.#options;
    const earliest = (endLength[cut] ?? 0) - room;
    while (this.#first < this.#stairCount && (this.#stairReach[this.#first] ?? 0) < earliest)
      this.#first += 1;
    const stair = this.#findStair((need[cut] ?? 0) - room, cut);
    if (stair < 0) return;
    const isHard = (kind[cut] ?? 0) > this.#worst;
    const total =
      (this.#stairTotal[stair] ?? 0) + CHUNK_WEIGHT + (cost[cut] ?? 0) + (isHard ? HARD_WEIGHT : 0);
    this.#from[cut] = this.#stairs[stair] ?? 0;
    this.#total[cut] = total;
    this.#addStair(cut, total);
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
      if (this.#linesOf(this.#stairs[middle] ?? 0, cut) > maxLines) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #linesOf(from: number, to: number): number {
    return (this.#cuts.endLine[to] ?? 0) - (this.#cuts.startLine[from] ?? 0) + 1;
  }

  #addStair(cut: number, total: number): void {
    const stairs = this.#stairs;
    const reaches = this.#stairReach;
    const totals = this.#stairTotal;
    const count = this.#stairCount;
    const reach = this.#cuts.reach[cut] ?? 0;
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
    const { endLength, startLength, need, reach } = this.#cuts;
    const { room, maxLines } = this.#options;
    const end = endLength[last] ?? 0;
    const threshold = (need[last] ?? 0) - room;
    const short = room / 8;
    let best = Infinity;
    for (let cut = last - 1; cut >= 0 && (startLength[cut] ?? 0) >= threshold - room; cut -= 1) {
      if ((reach[cut] ?? 0) < threshold || (cut > 0 && (this.#from[cut] ?? -1) < 0)) continue;
      const length = end - (startLength[cut] ?? 0);
      let total = (this.#total[cut] ?? 0) + CHUNK_WEIGHT;
      if (length < short && cut > 0) total += COST.shortLastChunk * (1 - length / short);
      if (maxLines !== null && this.#linesOf(cut, last) > maxLines) total += HARD_WEIGHT;
      if (total >= best) continue;
      best = total;
      this.#from[last] = cut;
    }
  }
}
