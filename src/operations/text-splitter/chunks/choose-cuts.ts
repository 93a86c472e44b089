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

/** The last chunk costs extra when it is shorter than an eighth of the capacity. */
const SHORT_SHARE = 8;

interface ChooseOptions extends Pick<SplitOptions, 'prefer' | 'maxLines' | 'unbreakable'> {
  /** The largest length of a chunk without `prepend`, `append` and `counter`. */
  readonly capacity: number;
}

/** The cheapest route from the start of the text to a cut. */
interface Route {
  readonly cut: Cut;
  readonly cost: number;
  /** null at the start of the text. */
  readonly from: Route | null;
}

/**
 * Chooses the cuts with the fewest chunks, and among these the best cuts, in one pass. The best route to each cut goes
 * through the best cut that is far enough to the right for one chunk to reach from it. Those form a Pareto frontier: a
 * cut that is neither further to the right nor cheaper than a later one can never be the best again. So both position
 * and cost ascend, and a binary search finds the best cut.
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
  /** Kinds of cuts worse than the preferred one. They are possible, and cost extra. */
  readonly #unpreferred: ReadonlySet<CutKind>;
  /** To every cut that has a route, in order. */
  readonly #routes: Route[] = [];
  /**
   * The routes before this one were added to the frontier if they are good enough. The others wait, because no chunk
   * fits between two cuts that touch.
   */
  #nextRoute = 0;
  /** The routes before #first are too far to the left from now on. */
  readonly #frontier: Route[] = [];
  #first = 0;
  #rangeIndex = 0;

  constructor(cuts: readonly Cut[], options: ChooseOptions) {
    this.#options = options;
    this.#unpreferred = new Set(CUT_KINDS.slice(CUT_KINDS.indexOf(WORST[options.prefer]) + 1));
    const last = cuts.length - 1;
    for (const [index, cut] of cuts.entries()) {
      if (index === 0) this.#routes.push({ cut, cost: 0, from: null });
      else if (index < last) this.#addRoute(cut);
    }
    this.end = this.#findLastRoute(cuts[last]);
  }

  #addRoute(cut: Cut): void {
    const { capacity } = this.#options;
    for (let route = this.#routes[this.#nextRoute]; route !== undefined && route.cut.start < cut.end;) {
      this.#addToFrontier(route);
      this.#nextRoute += 1;
      route = this.#routes[this.#nextRoute];
    }
    const frontierStart = cut.endWithSuffix - cut.reopening.suffixLength - capacity;
    while ((this.#frontier[this.#first]?.cut.startBeforePrefix ?? Infinity) < frontierStart) this.#first += 1;
    const from = this.#findOnFrontier(cut, cut.endWithSuffix - capacity);
    if (from === null) return;
    let cost = from.cost + COST.chunk + cut.cost + this.#costOfLines(from.cut, cut);
    if (this.#unpreferred.has(cut.kind)) cost += COST.violatesPreference;
    if (this.#isInUnbreakable(cut)) cost += COST.inUnbreakable;
    this.#routes.push({ cut, cost, from });
  }

  #costOfLines(from: Cut, to: Cut): number {
    const { maxLines } = this.#options;
    return maxLines === null ? 0 : COST.violatesPreference * Math.max(0, linesBetween(from, to) - maxLines);
  }

  #isInUnbreakable({ start, end }: Cut): boolean {
    const { unbreakable } = this.#options;
    while ((unbreakable[this.#rangeIndex]?.end ?? Infinity) <= end) this.#rangeIndex += 1;
    return (unbreakable[this.#rangeIndex]?.start ?? Infinity) < start;
  }

  /**
   * Returns the cheapest route on the frontier that does not start before `earliestStart` and leaves few enough
   * lines, or else the cheapest that leaves no more lines than the last one.
   */
  #findOnFrontier(cut: Cut, earliestStart: number): Route | null {
    const { maxLines } = this.#options;
    const frontier = this.#frontier;
    const first = frontier[this.#first];
    // Most cuts add no lines, and then the first route is the cheapest within reach.
    if (maxLines === null && first !== undefined && first.cut.startBeforePrefix >= earliestStart)
      return first;
    const found = findFirst(
      this.#first,
      frontier.length,
      (at) => (frontier[at]?.cut.startBeforePrefix ?? 0) >= earliestStart,
    );
    if (found === frontier.length || maxLines === null) return frontier[found] ?? null;
    const linesFrom = (at: number) => linesBetween(frontier[at]?.cut ?? cut, cut);
    const fewest = Math.max(maxLines, linesFrom(frontier.length - 1));
    return frontier[findFirst(found, frontier.length - 1, (at) => linesFrom(at) <= fewest)] ?? null;
  }

  #addToFrontier(route: Route): void {
    const frontier = this.#frontier;
    const { startBeforePrefix } = route.cut;
    let position = frontier.length;
    while (position > this.#first && (frontier[position - 1]?.cut.startBeforePrefix ?? 0) > startBeforePrefix)
      position -= 1;
    if ((frontier[position]?.cost ?? Infinity) <= route.cost) return;
    let keep = position;
    while (keep > this.#first && (frontier[keep - 1]?.cost ?? 0) >= route.cost) keep -= 1;
    if (position < frontier.length) frontier.splice(keep, position - keep, route);
    else {
      frontier[keep] = route;
      frontier.length = keep + 1;
    }
  }

  /** The last chunk may start at any cut that is far enough to the right. A very short one costs extra. */
  #findLastRoute(end: Cut | undefined): Route | null {
    if (end === undefined) return null;
    const { capacity } = this.#options;
    let best: Route | null = null;
    const earliestStart = end.endWithSuffix - capacity;
    const short = capacity / SHORT_SHARE;
    for (let at = this.#routes.length - 1; at >= 0; at -= 1) {
      const from = this.#routes[at];
      if (from === undefined || from.cut.start < earliestStart - capacity) break;
      if (from.cut.startBeforePrefix < earliestStart) continue;
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
