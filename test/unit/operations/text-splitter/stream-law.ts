import fc from 'fast-check';

import {
  DEFAULT_OPTIONS,
  type SplitOptions,
} from '../../../../src/operations/text-splitter/split-options.ts';
import { tailOfOpenFence } from './check-split.ts';
import { readBounded, type StyleMap } from './discord-reader.ts';

/** The two chunks that are held back, the marks that are opened again, and the white space between them. */
export function restMax(maxLength: number): number {
  return maxLength * 3;
}

interface Part {
  readonly chunks: readonly string[];
  /** null with the last part. */
  readonly rest: string | null;
}

export interface Stream {
  readonly chunks: readonly string[];
  /** Carried from call to call. */
  readonly rests: readonly string[];
}

/** Sends a text in parts, as a bot does while a model writes. */
export function stream(parts: readonly string[], split: (text: string, isFinal: boolean) => Part): Stream {
  const chunks: string[] = [];
  const rests: string[] = [];
  let rest = '';
  for (const part of parts) {
    const answer = split(rest + part, false);
    chunks.push(...answer.chunks);
    rest = answer.rest ?? '';
    rests.push(rest);
  }
  chunks.push(...split(rest, true).chunks);
  return { chunks, rests };
}

/** A text as a reader sees it: each character that is no white space, with its style. */
function shown(text: string, read: (text: string) => StyleMap, tail: string): string[] {
  const styles = read(text + tail);
  return Array.from({ length: text.length }, (_, at) => `${text[at]} ${plain(styles[at] ?? '')}`).filter(
    (one, at) => styles[at] !== 'mark' && !/^\s/.test(one),
  );
}

function plain(style: string): string {
  return style.replace(/ ?token/, '').trim();
}

/** The first place at which the chunks show something else than the text; null when there is none. */
export function difference(
  text: string,
  chunks: readonly string[],
  options: Partial<SplitOptions>,
): string | null {
  const { maxLength } = { ...DEFAULT_OPTIONS, ...options };
  const read = (part: string) => readBounded(part, maxLength);
  const tail = tailOfOpenFence(text, read);
  const whole = shown(text, read, tail);
  const own = chunks.flatMap((chunk, index) => shown(chunk, read, index === chunks.length - 1 ? tail : ''));
  const at = whole.findIndex((one, index) => one !== own[index]);
  if (at < 0) return whole.length === own.length ? null : `${own.length - whole.length} more`;
  const around = (list: readonly string[]) => list.slice(Math.max(0, at - 6), at + 3).join(', ');
  return `${around(whole)} became ${around(own)}`;
}

/** Cuts a text at places that are chosen by shares of it, in thousandths. */
export function partsOf(text: string, shares: readonly number[]): string[] {
  const places = [0, ...shares.map((share) => Math.floor((share * text.length) / 1000)), text.length];
  places.sort((a, b) => a - b);
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

export const shares = fc.array(fc.integer({ min: 0, max: 1000 }), {
  minLength: 1,
  maxLength: 12,
  size: 'max',
});
