/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { poolEntries, RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import { Segment, SEGMENT_MEMBERS_MAX, sortOrdinals } from './segment.ts';

// Shared by all rebuilds: nothing is kept here between two calls.
const order = new Uint16Array(SEGMENT_MEMBERS_MAX);
const ranks = new Uint16Array(2 * SEGMENT_MEMBERS_MAX);
const holders = new Uint16Array(2 * SEGMENT_MEMBERS_MAX);
const late = new Uint16Array(SEGMENT_MEMBERS_MAX);

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
 * Makes new segments, in id order and without those who left, from one segment or two neighbours: the tail is
 * merged in, a segment splits, or two small ones join. The sources stay as they are.
 */
export function rebuildSegments(
  sources: readonly Segment[],
  { parts, slots, membersMax, growing }: RebuildOptions,
): Segment[] {
  const total = sources.reduce((sum, source) => sum + source.live, 0);
  const starts = parts === 1 ? [0, total] : [0, total >>> 1, total];
  const poolLength = poolBound(sources, slots);
  const targets: Segment[] = [];
  for (let part = 0; part < parts; part += 1) {
    const size = starts[part + 1]! - starts[part]!;
    // Fewer free places make joins dearer, more cost memory.
    const capacity = Math.min(membersMax, size + (size >>> (growing ? 1 : 4)) + 8);
    const lists = new RoleLists({ ordinalsMax: capacity, slots, poolLength, growing });
    const { minHi, minLo } = sources[0]!;
    targets.push(new Segment({ minHi, minLo, capacity, size, slots, lists, loose: growing }));
  }
  moveMembers(sources, targets, starts);
  for (let slot = 0; slot < slots; slot += 1) {
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
function poolBound(sources: readonly Segment[], slots: number): number {
  let entries = 0;
  for (let slot = 0; slot < slots; slot += 1) {
    let count = 0;
    for (const source of sources) count += source.lists.count(slot);
    entries += poolEntries(count, SEGMENT_MEMBERS_MAX);
  }
  return entries;
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
    const live = source.copyHolders(EVERYONE_SLOT, order);
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
      target.ids[to * 2] = source.ids[ordinal * 2]!;
      target.ids[to * 2 + 1] = source.ids[ordinal * 2 + 1]!;
      target.sums[to] = source.sums[ordinal]!;
    }
  });
}

/** Writes the ranks of all holders of a role, ascending, into `holders`. */
function gatherRanks(sources: readonly Segment[], slot: number): number {
  let end = 0;
  sources.forEach((source, index) => {
    const count = source.lists.copyTo(slot, order);
    const ranksFrom = index * SEGMENT_MEMBERS_MAX;
    let head = count;
    while (head > 0 && order[head - 1]! >= source.sorted) head -= 1;
    for (let at = 0; at < head; at += 1) holders[end + at] = ranks[ranksFrom + order[at]!]!;
    for (let at = head; at < count; at += 1) late[at - head] = ranks[ranksFrom + order[at]!]!;
    sortOrdinals(late, 0, count - head);
    mergeLate(end, head, count - head);
    end += count;
  });
  return end;
}

/** Merges the sorted `late` into the `head` sorted entries of `holders` from `from` on, from the end. */
function mergeLate(from: number, head: number, lateCount: number): void {
  let before = from + head - 1;
  let to = before + lateCount;
  for (let at = lateCount - 1; at >= 0; to -= 1) {
    if (before >= from && holders[before]! > late[at]!) {
      holders[to] = holders[before]!;
      before -= 1;
    } else {
      holders[to] = late[at]!;
      at -= 1;
    }
  }
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
