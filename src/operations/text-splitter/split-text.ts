import { Problem } from '../../kernel/problem.ts';
import { positionInOriginalCode, separateTicks } from './chars/code-ticks.ts';
import { findPath, limitTooSmall } from './chunks/chunk-path.ts';
import { type ChunkPath, emitChunks, type ChunkPosition } from './chunks/emit-chunks.ts';
import type { Markup } from './markup/markup.ts';
import { readMarkup } from './markup/read-markup.ts';
import { CHUNKS_MAX, DEFAULT_OPTIONS, type SplitOptions } from './split-options.ts';

export interface SplitResult {
  readonly chunks: string[];
  /** Where each chunk stands in the text. */
  readonly pieces: ChunkPosition[];
  /** True when there were more chunks than `maxChunks`, and `overflow` is `truncate`. */
  readonly truncated: boolean;
  /** Written before the text that comes next, or null when the text is complete. */
  readonly rest: string | null;
}

/** A text that must be cut, after the first step. */
export interface ReadText {
  /** As the caller sent it. */
  readonly source: string;
  /** The source; in mode `code` after `separateTicks`. */
  readonly text: string;
  readonly markup: Markup;
  readonly options: SplitOptions;
}

/** A text whose cuts are chosen. */
export interface ChosenText extends ReadText, ChunkPath {
  /** The number of chunks that are returned. */
  readonly count: number;
}

/**
 * Cuts a text into chunks that each fit and that each look like that part of the whole. In mode `code` the pieces refer
 * to the text after `separateTicks`.
 * @throws Problem too_many_chunks, limit_too_small
 */
export function splitText(text: string, options: Partial<SplitOptions> = {}): SplitResult {
  const all = { ...DEFAULT_OPTIONS, ...options };
  return keepWhole(text, all) ?? writeChunks(chooseChunks(readText(text, all)));
}

/** Returns the result for an empty text or one that fits in a chunk; null if the text must be cut. */
export function keepWhole(
  text: string,
  { maxLength, maxLines, mode, isFinal }: SplitOptions,
): SplitResult | null {
  const nothing = { chunks: [], pieces: [], truncated: false };
  if (!/\S/.test(text)) return { ...nothing, rest: isFinal ? null : text };
  const fits = text.length <= maxLength && mode !== 'code' && fitsLines(text, maxLines);
  if (!fits) return null;
  if (!isFinal) return { ...nothing, rest: text };
  const position: ChunkPosition = {
    start: 0,
    end: text.length,
    addedPrefix: '',
    addedSuffix: '',
    cut: 'end',
  };
  return { ...nothing, chunks: [text], pieces: [position], rest: null };
}

/** The first step: finds tokens and styles. */
export function readText(source: string, options: SplitOptions): ReadText {
  const text = options.mode === 'code' ? separateTicks(source) : source;
  return { source, text, markup: readMarkup(text, options), options };
}

/**
 * The second step: finds the possible cuts, and chooses among them.
 * @throws Problem too_many_chunks, limit_too_small
 */
export function chooseChunks(read: ReadText): ChosenText {
  const chosen = chooseAsRead(read) ?? chooseAsPlain(read);
  if (chosen === null) throw limitTooSmall();
  return chosen;
}

/**
 * The third step: writes the chunks.
 * @param count how many of them, from the first on
 */
export function writeChunks(chosen: ChosenText, count = chosen.count): SplitResult {
  const { text, source, path, options } = chosen;
  const { mode, isFinal } = options;
  const written = emitChunks(text, chosen, options, count);
  if (isFinal) return { ...written, truncated: count < path.length - 1, rest: null };
  const cut = path[count];
  const opening = mode === 'code' || count === 0 ? '' : (cut?.reopening.prefix ?? '');
  const start = count === 0 ? 0 : (cut?.start ?? 0);
  const restStart = mode === 'code' ? positionInOriginalCode(source, start) : start;
  return { ...written, truncated: false, rest: opening + source.slice(restStart) };
}

function chooseAsRead(read: ReadText): ChosenText | null {
  const { text, markup, options } = read;
  const { maxLength, counter, overflow, isFinal } = options;
  const chunksMax = options.maxChunks ?? CHUNKS_MAX;
  let digits = String(Math.ceil(text.trimEnd().length / maxLength)).length;
  for (;;) {
    const found = findPath(text, markup, options, digits);
    if (found === null) return null;
    const total = found.path.length - 1;
    if (total > chunksMax && overflow === 'error') throw tooManyChunks(chunksMax);
    if (!isFinal) return { ...read, ...found, count: countSettled(text, found, maxLength) };
    const count = Math.min(total, chunksMax);
    // The numbers of the counter may need more space than was reserved for them.
    if (counter === '' || String(count).length <= digits) return { ...read, ...found, count };
    digits = String(count).length;
  }
}

/**
 * The number of chunks that later text cannot change. A pair of marks is at most `maxLength` long, and the last two
 * chunks may still be cut elsewhere.
 */
function countSettled(text: string, { path }: ChunkPath, maxLength: number): number {
  const count = path.findLastIndex(({ end }) => end <= text.length - maxLength);
  return Math.max(0, Math.min(count, path.length - 3));
}

/** For a text with more white space than fits a chunk in code or a quote, where it cannot be dropped. */
function chooseAsPlain({ source, options }: ReadText): ChosenText | null {
  return options.mode === 'markdown' ? chooseAsRead(readText(source, { ...options, mode: 'plain' })) : null;
}

function fitsLines(text: string, maxLines: number | null): boolean {
  if (maxLines === null) return true;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && lines <= maxLines; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines <= maxLines;
}

function tooManyChunks(max: number): Problem {
  return new Problem('too_many_chunks/chunks', { field: 'text', values: { max } });
}
