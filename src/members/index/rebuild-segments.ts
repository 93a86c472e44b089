/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { poolEntries, RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import { Segment } from './segment.ts';
import { SEGMENT_MEMBERS_MAX, sortOrdinals } from './sort-ordinals.ts';

// Shared by all rebuilds: nothing is kept here between two calls.
const order = new Uint16Array(SEGMENT_MEMBERS_MAX);
const ranks = new Uint16Array(2 * SEGMENT_MEMBERS_MAX);
const holders = new Uint16Array(2 * SEGMENT_MEMBERS_MAX);

export interface RebuildOptions {
  /** How many segments of equal size come out. */
  readonly parts: 1 | 2;
  /** Role slots of the guild. */
  readonly slots: number;
  readonly membersMax: number;
  /** Many more members are about to come. */
  readonly growing: boolean;
}

/**
 * Makes new segments, in id order and without members who left, from one segment or two neighbours: the tail is
 * merged in, a segment splits, or two small ones join. The sources stay as they are.
 */
export function rebuildSegments(
  sources: readonly Segment[],
  { parts, slots, membersMax, growing }: RebuildOptions,
): Segment[] {
  const total = sources.reduce((sum, source) => sum + source.live, 0);
  const starts = parts === 1 ? [0, total] : [0, total >>> 1, total];
  const poolLength = poolBound(sources, slots, growing);
  const targets: Segment[] = [];
  for (let part = 0; part < parts; part += 1) {
    const size = starts[part + 1]! - starts[part]!;
    // Fewer free places make joins dearer, more cost memory.
    const capacity = Math.min(membersMax, size + (growing ? size : size >>> 5) + 8);
    const lists = new RoleLists({ ordinalsMax: capacity, slots, poolLength, growing });
    const { minHi, minLo } = sources[0]!;
    targets.push(new Segment({ minHi, minLo, capacity, size, slots, lists, loose: growing }));
  }
  moveMembers(sources, targets, starts);
  for (let slot = 0; slot < slots; slot += 1) {
    if (countHolders(sources, slot) === total) {
      targets.forEach(({ lists }, part) => lists.fillAll(slot, starts[part + 1]! - starts[part]!));
      continue;
    }
    const count = gatherRanks(sources, slot);
    let from = 0;
    for (let part = 0; part < parts; part += 1) {
      let to = count;
      if (part + 1 < parts) to = lowerBound(holders, count, starts[part + 1]!);
      targets[part]!.lists.fill(slot, holders, from, to, starts[part]!);
      from = to;
    }
  }
  if (!growing) for (const target of targets) target.lists.trim();
  return targets;
}

/** An upper bound, so that the pool of a part need not grow while it is filled. */
function poolBound(sources: readonly Segment[], slots: number, growing: boolean): number {
  let entries = 0;
  for (let slot = 0; slot < slots; slot += 1) {
    entries += poolEntries(countHolders(sources, slot), SEGMENT_MEMBERS_MAX, growing);
  }
  return entries;
}

function countHolders(sources: readonly Segment[], slot: number): number {
  let count = 0;
  for (const source of sources) count += source.lists.count(slot);
  return count;
}

/** Copies ids and sums, and notes for each source the rank of each ordinal over all sources. */
function moveMembers(
  sources: readonly Segment[],
  targets: readonly Segment[],
  starts: readonly number[],
): void {
  let rank = 0;
  let part = 0;
  sources.forEach((source, index) => {
    const live = source.lists.copyTo(EVERYONE_SLOT, order);
    source.orderById(order, live);
    const ranksFrom = index * SEGMENT_MEMBERS_MAX;
    for (let at = 0; at < live; at += 1, rank += 1) {
      const ordinal = order[at]!;
      ranks[ranksFrom + ordinal] = rank;
      if (rank >= starts[part + 1]!) {
        part += 1;
        targets[part]!.minHi = source.ids[ordinal * 2 + 1]!;
        targets[part]!.minLo = source.ids[ordinal * 2]!;
      }
      const target = targets[part]!;
      const to = rank - starts[part]!;
      target.set(to, source.ids[ordinal * 2 + 1]!, source.ids[ordinal * 2]!, source.sums[ordinal]!);
    }
  });
}

/** Writes the ranks of all holders of a role, ascending, into `holders`. */
function gatherRanks(sources: readonly Segment[], slot: number): number {
  let end = 0;
  sources.forEach((source, index) => {
    const count = source.lists.copyTo(slot, order);
    const ranksFrom = index * SEGMENT_MEMBERS_MAX;
    for (let at = 0; at < count; at += 1) holders[end + at] = ranks[ranksFrom + order[at]!]!;
    // Ordinals are in id order but for those of the tail, which come last.
    if (count > 0 && order[count - 1]! >= source.sorted) sortOrdinals(holders, end, end + count);
    end += count;
  });
  return end;
}

/** The first of `count` sorted entries that is not below `value`. */
function lowerBound(sorted: Uint16Array, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
