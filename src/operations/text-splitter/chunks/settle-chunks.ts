import type { ChunkPath } from './emit-chunks.ts';

/**
 * The number of chunks of a text that goes on which no later text can change: a pair of marks is at most `maxLength`
 * long, and the last two chunks may still be cut elsewhere.
 */
export function countSettled(text: string, { path }: ChunkPath, maxLength: number): number {
  const count = path.findLastIndex(({ end }) => end <= text.length - maxLength);
  return Math.max(0, Math.min(count, path.length - 3));
}
