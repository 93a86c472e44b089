import { randomInt } from 'node:crypto';

/** A whole number from 0 to `limit` - 1, all equally likely. */
export type RandomBelow = (limit: number) => number;

export const secureRandomBelow: RandomBelow = (limit) => randomInt(limit);

/**
 * Draws `wanted` different ranks below `count`, or all of them if there are fewer. Each selection in each order is
 * equally likely.
 *
 * This is the beginning of a Fisher-Yates shuffle of all ranks. Only ranks that moved are written down.
 */
export function drawRanks(count: number, wanted: number, randomBelow: RandomBelow): number[] {
  const moved = new Map<number, number>();
  const ranks: number[] = [];
  for (let at = 0; at < Math.min(count, wanted); at += 1) {
    const from = at + randomBelow(count - at);
    ranks.push(moved.get(from) ?? from);
    moved.set(from, moved.get(at) ?? at);
  }
  return ranks;
}
