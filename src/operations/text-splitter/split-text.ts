import { Problem } from '../../kernel/problem.ts';
import { isWhiteSpace } from './chars/char-class.ts';
import { placeBeforeSeparation, separateTicks } from './chars/code-ticks.ts';
import { createRuler } from './chars/length-unit.ts';
import { findPath, limitTooSmall } from './chunks/chunk-path.ts';
import { findKnots, untiedKnots } from './chunks/find-knots.ts';
import { emitChunks, type Piece } from './chunks/emit-chunks.ts';
import { countSettled, heldFrom, restAfter, shortenBlankEnd } from './chunks/settle-chunks.ts';
import { readMarkup } from './markup/read-markup.ts';
import { CHUNKS_MAX, DEFAULT_OPTIONS, type SplitOptions } from './split-options.ts';

export interface SplitResult {
  readonly chunks: string[];
  readonly pieces: Piece[];
  /** True when there were more chunks than `maxChunks` and the rest was left out on request. */
  readonly truncated: boolean;
  /** Goes before the text that comes next; null when the text is complete. */
  readonly rest: string | null;
}

/** The text after the last chunk that is kept is read up to this far, because it may close open marks. */
const READ_AHEAD = 65_536;

/** All knots are untied at once; those that stay tied are left out the next time. */
const KNOT_ATTEMPTS = 2;

/**
 * Cuts a text into chunks that each fit and that each look like that part of the whole. In mode `code` the pieces refer
 * to the text after `separateTicks`.
 * @throws Problem too_many_chunks, limit_too_small
 */
export function splitText(text: string, options: Partial<SplitOptions> = {}): SplitResult {
  const steps = splitTextInSteps(text, { ...DEFAULT_OPTIONS, ...options });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The same in steps of a few milliseconds, so that the caller can let others go first between them. */
export function* splitTextInSteps(input: string, options: SplitOptions): Generator<void, SplitResult> {
  const text = options.isFinal ? input : shortenBlankEnd(input, options.maxLength);
  if (options.mode !== 'code') return yield* splitWhole(text, options);
  const code = separateTicks(text);
  const result = yield* splitWhole(code, options);
  if (result.rest === null) return result;
  const restStart = placeBeforeSeparation(text, code.length - result.rest.length);
  return { ...result, rest: text.slice(restStart) };
}

function* splitWhole(whole: string, options: SplitOptions): Generator<void, SplitResult> {
  const { maxLength, mode, isFinal } = options;
  if (!/\S/.test(whole)) return noChunks(isFinal ? null : whole);
  const isShort = createRuler(whole, options.lengthUnit).at(whole.length) <= maxLength;
  if (isShort && mode !== 'code' && fitsLines(whole, options.maxLines)) {
    if (!isFinal) return noChunks(whole);
    const piece: Piece = { start: 0, end: whole.length, addedPrefix: '', addedSuffix: '', cut: 'end' };
    return { chunks: [whole], pieces: [piece], truncated: false, rest: null };
  }
  const chunksMax = options.maxChunks ?? CHUNKS_MAX;
  const enough = lengthForChunks(whole, chunksMax, options);
  if (enough < whole.length && options.overflow === 'error') throw tooManyChunks(chunksMax);
  const text = whole.slice(0, enough + READ_AHEAD);

  const ruler = createRuler(text, options.lengthUnit);
  const end = mode === 'code' ? text.length : text.trimEnd().length;
  const waitsFrom = isFinal ? Infinity : heldFrom(text, ruler, options);
  let reading = options;
  let markup = yield* readMarkup(text, ruler, reading, waitsFrom);
  let digits = String(Math.ceil(ruler.at(end) / maxLength)).length;
  for (;;) {
    let found = yield* findPath(text, markup, ruler, reading, digits, end);
    let knots = found === null ? [] : findKnots(text, markup, found.path);
    for (let attempt = 0; attempt < KNOT_ATTEMPTS && knots.length > 0; attempt += 1) {
      const otherMarkup = yield* readMarkup(text, ruler, reading, waitsFrom, knots);
      const other = yield* findPath(text, otherMarkup, ruler, reading, digits, end);
      const untied = other === null ? [] : untiedKnots(knots, other.path);
      if (other !== null && untied.length === knots.length) {
        markup = otherMarkup;
        found = other;
        break;
      }
      knots = untied;
    }
    if (found === null) {
      if (reading.mode !== 'markdown') throw limitTooSmall();
      // The text has more blanks than fit a chunk, and they mean something in code or quotes. As plain text it can be
      // cut.
      reading = { ...options, mode: 'plain' };
      markup = yield* readMarkup(text, ruler, reading, waitsFrom);
      continue;
    }
    const total = found.path.length - 1;
    if (total > chunksMax && options.overflow === 'error') throw tooManyChunks(chunksMax);
    if (!isFinal) {
      const settled = countSettled(text, markup, found, ruler, options);
      const rest = restAfter(text, found, settled, mode === 'code');
      return { ...emitChunks(text, found, options, settled), truncated: false, rest };
    }
    const count = Math.min(total, chunksMax);
    if (options.counter !== '' && String(count).length > digits) {
      digits = String(count).length;
      continue;
    }
    return { ...emitChunks(text, found, options, count), truncated: count < total, rest: null };
  }
}

function noChunks(rest: string | null): SplitResult {
  return { chunks: [], pieces: [], truncated: false, rest };
}

/** The most text that this many chunks can hold, if each is filled with everything but white space. */
function lengthForChunks(text: string, chunksMax: number, { maxLength, lengthUnit }: SplitOptions): number {
  let room = chunksMax * maxLength * (lengthUnit === 'codepoints' ? 2 : 1);
  if (text.length <= room) return text.length;
  let at = 0;
  for (; at < text.length && room >= 0; at += 1) if (!isWhiteSpace(text.charCodeAt(at))) room -= 1;
  return at;
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
