import { shortenBlankEnd } from '../chunks/settle-chunks.ts';
import type { SplitOptions } from '../split-options.ts';
import { type SplitResult, splitTextInSteps } from '../split-text.ts';
import { type Converted, convertGithub, type ConvertOptions } from './convert-github.ts';
import { findForcedCut } from './find-forced-cut.ts';
import type { Definition, Point } from './read/block.ts';
import type { WrittenPoint } from './write/converted-text.ts';

/** The rest is at most four chunks and this much longer. */
const REST_UNITS_MAX = 2_500;

interface Part {
  readonly chunks: readonly string[];
  readonly rest: string;
}

/**
 * Splits a text in GitHub's Markdown that goes on. The decided part is converted and split like a complete text. Of its
 * chunks, those up to a possible cut of the source are taken. The rest is source from there on, and opens again
 * everything open there. A block that is open for longer than the rest may be is cut at the best place inside of it.
 * @throws Problem too_many_chunks, limit_too_small, text_too_long
 */
export function* splitPart(
  input: string,
  options: SplitOptions,
  conversion: ConvertOptions,
): Generator<void, SplitResult> {
  const text = shortenBlankEnd(input, options.maxLength);
  const decided = yield* splitDecided(text, options, conversion);
  const isLong = decided.rest.length > restMax(options);
  const { chunks, rest } = isLong ? yield* splitForced(decided.rest, options, conversion) : decided;
  return { chunks: [...(isLong ? decided.chunks : []), ...chunks], pieces: [], truncated: false, rest };
}

function restMax({ maxLength }: SplitOptions): number {
  return maxLength * 4 + REST_UNITS_MAX;
}

function* splitDecided(
  text: string,
  options: SplitOptions,
  conversion: ConvertOptions,
): Generator<void, Part> {
  const end = { end: text.lastIndexOf('\n') + 1, isForced: false, headerLengthMax: 0 };
  const part = yield* convertGithub(text, conversion, end);
  const { points } = part;
  const last = points.at(-1);
  if (last === undefined) return { chunks: [], rest: text };
  const converted = part.text.slice(0, last.offset) + last.closing;
  const split = yield* splitConverted(converted, part, options);
  const taken =
    takeChunks(converted, split, points) ??
    // With the fewest chunks there is no choice of their ends: allow one more.
    takeChunks(converted, yield* splitConverted(converted, part, { ...options, prefer: 'line' }), points);
  if (taken !== null) return { chunks: taken.chunks, rest: restFrom(text, taken.point, part, options) };
  if (text.length <= restMax(options)) return { chunks: [], rest: text };
  return { chunks: split.chunks, rest: restFrom(text, last, part, options) };
}

/** Most of the chunks, but never the last one: those up to one that ends at a point. null if there is none. */
function takeChunks(
  converted: string,
  { chunks, pieces }: SplitResult,
  points: readonly WrittenPoint[],
): { readonly chunks: readonly string[]; readonly point: WrittenPoint } | null {
  let index = points.length - 1;
  for (let count = chunks.length - 1; count > 0; count -= 1) {
    const [piece, next] = [pieces[count - 1], pieces[count]];
    if (piece === undefined || next === undefined) return null;
    const to = startOfText(converted, piece.end);
    while (index >= 0 && (points[index]?.offset ?? 0) > to) index -= 1;
    const point = points[index];
    if (point === undefined) return null;
    // Marks that open at the start of a chunk are opened in the source only for code.
    const isPlain = piece.addedSuffix === '' && next.addedPrefix === '';
    if (point.offset < piece.end || !(isPlain || point.closing !== '')) continue;
    return { chunks: chunks.slice(0, count), point };
  }
  return null;
}

function* splitForced(
  text: string,
  options: SplitOptions,
  conversion: ConvertOptions,
): Generator<void, Part> {
  const { maxLength } = options;
  const end = yield* findForcedCut(text, maxLength, conversion.latex);
  const part = yield* convertGithub(text, conversion, { end, isForced: true, headerLengthMax: maxLength });
  const { chunks } = yield* splitConverted(part.text, part, options);
  return { chunks, rest: restFrom(text, part.end, part, options) };
}

function splitConverted(
  text: string,
  { solids }: Converted,
  options: SplitOptions,
): Generator<void, SplitResult> {
  const within = solids.filter(({ end }) => end <= text.length);
  return splitTextInSteps(text, { ...options, solids: within, isFinal: true });
}

/**
 * The source from a point on. Before it goes source that opens again everything open there, and repeats the definitions
 * of links and footnotes. Definitions that have no room are left out, the oldest first.
 */
function restFrom(
  text: string,
  { at, opening, ...known }: Point,
  part: Converted,
  { maxLength }: SplitOptions,
): string {
  let room = maxLength;
  const take = (lines: readonly string[]) => {
    const from = lines.findLastIndex((line) => {
      room -= line.length + 1;
      return room < 0;
    });
    return lines.slice(from + 1).map((line) => `${line}\n`);
  };
  const definitions = take([...part.definitions].slice(0, known.definitions).map(writeDefinition));
  const notes = take([...part.notes.keys()].slice(0, known.notes).map((label) => `[^${label}]:`));
  // Something at the start of the line ends the footnote.
  const end = definitions.length > 0 ? '\n' : notes.length > 0 ? '<!---->\n' : '';
  return [...notes, ...definitions, end, opening, text.slice(at)].join('');
}

function writeDefinition([label, { source }]: readonly [string, Definition]): string {
  return `[${label}]: ${/[<>]/.test(source) ? source : `<${source}>`}`;
}

function startOfText(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}
