import { Segment, type OrderedMembers } from './segment.ts';

/**
 * Makes new segments of one segment or of neighbours, in id order and without members who left: merges the tail in,
 * splits one segment, or joins two small ones. The sources do not change.
 */
export function remakeSegments(sources: readonly Segment[], parts: number, membersMax: number): Segment[] {
  const total = sources.reduce((sum, { live }) => sum + live, 0);
  const slots = Math.max(...sources.map(({ lists }) => lists.slots));
  const ids = new BigUint64Array(total);
  const sums = new Uint32Array(total);
  const holders = Array.from({ length: slots }, (): number[] => []);
  let place = 0;
  for (const source of sources) {
    /** By ordinal. */
    const places = new Uint16Array(source.ids.length);
    for (const ordinal of source.inOrder()) {
      places[ordinal] = place;
      ids[place] = source.ids[ordinal]!;
      sums[place] = source.sumOf(ordinal);
      place += 1;
    }
    holders.forEach((held, slot) => {
      const own = source.lists.ordinals(slot).map((ordinal) => places[ordinal]!);
      for (const at of own.sort()) held.push(at);
    });
  }
  return segmentsOf({ ids, sums, holders }, parts, sources[0]!.min, membersMax);
}

/** Segments of about equal size; the first one begins at `min`. */
export function segmentsOf(
  members: OrderedMembers,
  parts: number,
  min: bigint,
  membersMax: number,
): Segment[] {
  if (parts === 1) return [Segment.of(min, members, membersMax)];
  const { ids, sums, holders } = members;
  return Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((ids.length * part) / parts);
    const to = Math.floor((ids.length * (part + 1)) / parts);
    const own = {
      ids: ids.subarray(from, to),
      sums: sums.subarray(from, to),
      holders: holders.map((places) =>
        places.filter((place) => place >= from && place < to).map((place) => place - from),
      ),
    };
    return Segment.of(part === 0 ? min : own.ids[0]!, own, membersMax);
  });
}
