import { NEWLINE } from './char-class.ts';

/** Counts the line breaks up to any place of a text. */
export function countBreaksUpTo(text: string): (place: number) => number {
  const counts = new Uint32Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1) {
    counts[at + 1] = (counts[at] ?? 0) + (text.charCodeAt(at) === NEWLINE ? 1 : 0);
  }
  return (place) => counts[place] ?? 0;
}
