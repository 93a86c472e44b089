import { COST, CUT_KINDS, type CutKind } from '../cuts/costs.ts';
import { type Cut, linesBetween } from '../cuts/cut.ts';
import type { SplitOptions } from '../split-options.ts';

const WORST: Readonly<Record<SplitOptions['prefer'], CutKind>> = {
  fewest: 'forced',
  paragraph: 'paragraph',
  line: 'line',
  sentence: 'sentence',
  word: 'space',
};

/** A last chunk costs extra when it is shorter than an eighth of a chunk. */
const SHORT_SHARE = 8;

interface ChooseOptions extends Pick<SplitOptions, 'prefer' | 'maxLines' | 'solids'> {
  /** Largest length of a chunk, without the additions to each chunk. */
  readonly capacity: number;
}

/** The cheapest way from the start of the text to a cut. */
interface Route {
  readonly cut: Cut;
  readonly cost: number;
  /** null at the start of the text. */
  readonly from: Route | null;
}

/**
 * Chooses the cuts with the fewest chunks, and among these the best cuts, in one pass. The best way to each cut goes
 * through the best of the cuts that are near enough. These form a Pareto frontier: a cut that reaches less far back and
 * is not cheaper can never be the best again. So reach and cost both ascend, and a binary search finds the best cut.
 * @param cuts from the start to the end of the text
 * @returns the chosen ones, start and end included, or null when no chunks fit
 */
export function chooseCuts(cuts: readonly Cut[], options: ChooseOptions): Cut[] | null {
  const path: Cut[] = [];
  for (let route = new CutChooser(cuts, options).end; route !== null; route = route.from)
    path.push(route.cut);
  return path.length === 0 ? null : path.reverse();
}

class CutChooser {
  /** The best route to the end of the text, or null. */
  readonly end: Route | null;
  readonly #options: ChooseOptions;
  readonly #refused: ReadonlySet<CutKind>;
  /** To all cuts that can be reached, in their order. */
  readonly #routes: Route[] = [];
  /**
   * The routes before this one are on the frontier. The others wait, because a chunk cannot be between two cuts that
   * touch.
   */
  #nextRoute = 0;
  /** The routes before #first are out of reach from now on. */
  readonly #frontier: Route[] = [];
  #first = 0;
  #solid = 0;

  constructor(cuts: readonly Cut[], options: ChooseOptions) {
    this.#options = options;
    this.#refused = new Set(CUT_KINDS.slice(CUT_KINDS.indexOf(WORST[options.prefer]) + 1));
    const last = cuts.length - 1;
    for (const [index, cut] of cuts.entries()) {
      if (index === 0) this.#routes.push({ cut, cost: 0, from: null });
      else if (index < last) this.#reach(cut);
    }
    this.end = this.#reachEnd(cuts[last]);
  }

  #reach(cut: Cut): void {
    const { capacity } = this.#options;
    for (let route = this.#routes[this.#nextRoute]; route !== undefined && route.cut.start < cut.end;) {
      this.#addToFrontier(route);
      this.#nextRoute += 1;
      route = this.#routes[this.#nextRoute];
    }
    const earliest = cut.need - cut.reopening.suffixLength - capacity;
    while ((this.#frontier[this.#first]?.cut.reach ?? Infinity) < earliest) this.#first += 1;
    const from = this.#findOnFrontier(cut, cut.need - capacity);
    if (from === null) return;
    let cost = from.cost + COST.chunk + cut.cost + this.#costOfLines(from.cut, cut);
    if (this.#refused.has(cut.kind)) cost += COST.against;
    if (this.#isInSolid(cut)) cost += COST.inSolid;
    this.#routes.push({ cut, cost, from });
  }

  #costOfLines(from: Cut, to: Cut): number {
    const { maxLines } = this.#options;
    return maxLines === null ? 0 : COST.against * Math.max(0, linesBetween(from, to) - maxLines);
  }

  #isInSolid({ start, end }: Cut): boolean {
    const { solids } = this.#options;
    while ((solids[this.#solid]?.end ?? Infinity) <= end) this.#solid += 1;
    return (solids[this.#solid]?.start ?? Infinity) < start;
  }

  /**
   * Returns the cheapest route on the frontier that reaches back no further than `earliest` and leaves few enough
   * lines, or else the cheapest that leaves no more lines than the nearest.
   */
  #findOnFrontier(cut: Cut, earliest: number): Route | null {
    const { maxLines } = this.#options;
    const frontier = this.#frontier;
    const first = frontier[this.#first];
    // Most cuts add no lines, and then the first route is the cheapest within reach.
    if (maxLines === null && first !== undefined && first.cut.reach >= earliest) return first;
    const found = findFirst(this.#first, frontier.length, (at) => (frontier[at]?.cut.reach ?? 0) >= earliest);
    if (found === frontier.length || maxLines === null) return frontier[found] ?? null;
    const linesFrom = (at: number) => linesBetween(frontier[at]?.cut ?? cut, cut);
    const fewest = Math.max(maxLines, linesFrom(frontier.length - 1));
    return frontier[findFirst(found, frontier.length - 1, (at) => linesFrom(at) <= fewest)] ?? null;
  }

  #addToFrontier(route: Route): void {
    const frontier = this.#frontier;
    const { reach } = route.cut;
    let place = frontier.length;
    while (place > this.#first && (frontier[place - 1]?.cut.reach ?? 0) > reach) place -= 1;
    if ((frontier[place]?.cost ?? Infinity) <= route.cost) return;
    let keep = place;
    while (keep > this.#first && (frontier[keep - 1]?.cost ?? 0) >= route.cost) keep -= 1;
    if (place < frontier.length) frontier.splice(keep, place - keep, route);
    else {
      frontier[keep] = route;
      frontier.length = keep + 1;
    }
  }

  /** The last chunk may start at any cut that is near enough. A very short one costs extra. */
  #reachEnd(end: Cut | undefined): Route | null {
    if (end === undefined) return null;
    const { capacity } = this.#options;
    let best: Route | null = null;
    const earliest = end.need - capacity;
    const short = capacity / SHORT_SHARE;
    for (let at = this.#routes.length - 1; at >= 0; at -= 1) {
      const from = this.#routes[at];
      if (from === undefined || from.cut.start < earliest - capacity) break;
      if (from.cut.reach < earliest) continue;
      const length = end.start - from.cut.start;
      let cost = from.cost + COST.chunk;
      if (length < short && at > 0) cost += COST.shortLastChunk * (1 - length / short);
      cost += this.#costOfLines(from.cut, end);
      if (cost < (best?.cost ?? Infinity)) best = { cut: end, cost, from };
    }
    return best;
  }
}

/** Returns the first index from `low` on that passes `test`, as all later ones do, or `high`. */
function findFirst(low: number, high: number, test: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (test(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
