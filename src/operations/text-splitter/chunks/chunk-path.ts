import { Problem } from '../../../kernel/problem.ts';
import { Boundaries } from '../chars/boundaries.ts';
import { createLineRuler, type Ruler } from '../chars/length-unit.ts';
import type { Cut } from '../cuts/cut.ts';
import { CutFinder } from '../cuts/find-cuts.ts';
import { BARE_SEAM, type Seam, SeamMaker } from '../cuts/seam.ts';
import type { LineCount } from '../cuts/text-walk.ts';
import type { Markup } from '../markup/markup.ts';
import type { SplitOptions } from '../split-options.ts';
import { type ChooseOptions, CutChooser } from './choose-cuts.ts';
import { type ChunkPath, fillCounter, GLUE_LENGTH, linesAfter, linesBefore } from './emit-chunks.ts';

/** Cuts to work on between two yields. */
const BLOCK = 16_384;

/**
 * In a long text, a cut that is no better than the one before must be some way after it. That distance grows with the
 * text, up to this share of a chunk: it bounds the memory.
 */
const UNITS_PER_GAP = 65_536;
const GAP_SHARE = 20;

/**
 * Finds the cuts to make; null when no cuts make chunks that fit.
 * @param digits of a number in the counter
 * @param end of the text, without white space after it
 * @throws Problem limit_too_small
 */
export function* findPath(
  text: string,
  markup: Markup,
  ruler: Ruler,
  options: SplitOptions,
  digits: number,
  end: number,
): Generator<void, ChunkPath | null> {
  const { prepend, append, counter, maxLength, prefer, maxLines } = options;
  const isCode = options.mode === 'code';
  const head = prepend === '' ? 0 : ruler.measure(prepend) + GLUE_LENGTH;
  const tail = append === '' ? 0 : ruler.measure(append) + GLUE_LENGTH;
  const filled = fillCounter(counter, '9'.repeat(digits), '9'.repeat(digits));
  const room = maxLength - head - tail - (counter === '' ? 0 : ruler.measure(filled) + GLUE_LENGTH);
  if (room < 1) throw limitTooSmall();

  const seams = new SeamMaker(ruler, room, options.reopen || isCode);
  const frame = isCode ? codeFrame(markup, options, seams) : BARE_SEAM;
  const finder = new CutFinder(
    {
      text,
      markup,
      clusters: new Boundaries(text, 'grapheme'),
      words: new Boundaries(text, 'word'),
      ruler,
      seams,
      room,
      readsLines: options.mode === 'markdown',
      lines: maxLines === null ? null : countLines(text, options, filled),
      gap: Math.min(Math.floor(text.length / UNITS_PER_GAP), Math.ceil(room / GAP_SHARE)),
    },
    // Nothing is written before the first chunk or after the last one.
    { ...frame, prefixLength: frame.prefixLength - head },
    isCode ? 0 : startOfText(text, room),
  );
  const cuts = yield* finder.find(end, { ...frame, suffixLength: frame.suffixLength - tail });

  const choice: ChooseOptions = { prefer, maxLines, room, solids: options.solids };
  let path = yield* choosePath(cuts, choice);
  if (path === null) return null;
  if (prefer === 'balanced' && path.length > 2) {
    path = yield* balance(cuts, path, choice, ruler.at(end));
  }
  return { path, ...endsOf(text, path, isCode || maxLines !== null ? 0 : room, ruler) };
}

function countLines(text: string, options: SplitOptions, counter: string): LineCount {
  const ruler = createLineRuler(text);
  return {
    at: (position) => ruler.at(position),
    before: (body) => linesBefore(options.prepend, body),
    after: (body, isLast) => linesAfter(isLast ? '' : options.append, body, counter),
  };
}

function* choosePath(cuts: readonly Cut[], options: ChooseOptions): Generator<void, Cut[] | null> {
  const chooser = new CutChooser(cuts, options);
  while (!chooser.advance(BLOCK)) yield;
  return chooser.path();
}

/**
 * Finds the smallest room that needs no more chunks, so that the longest chunk is as short as possible. A quarter of
 * the saved room is given back, so that the cuts can be at good places.
 */
function* balance(
  cuts: readonly Cut[],
  path: Cut[],
  options: ChooseOptions,
  length: number,
): Generator<void, Cut[]> {
  let low = Math.floor(length / (path.length - 1));
  let high = options.room;
  while (high - low > Math.max(1, options.room >> 7)) {
    const middle = (low + high) >> 1;
    const found = yield* choosePath(cuts, { ...options, room: middle });
    if (found !== null && found.length <= path.length) high = middle;
    else low = middle;
  }
  const room = high + ((options.room - high) >> 2);
  return (yield* choosePath(cuts, { ...options, room })) ?? path;
}

/**
 * White space at the ends of the text stays if it fits.
 * @param room 0 leaves that white space out
 */
function endsOf(text: string, path: readonly Cut[], room: number, ruler: Ruler) {
  const [first, second, beforeLast, last] = [path[0], path[1], path.at(-2), path.at(-1)];
  if (first === undefined || second === undefined || beforeLast === undefined || last === undefined)
    return { start: 0, end: text.length };
  const before = ruler.at(first.start);
  const keepsStart = second.need - first.reach + before <= room;
  const added = keepsStart && beforeLast === first ? before : 0;
  const after = ruler.at(text.length) - ruler.at(last.end);
  const keepsEnd = last.need - beforeLast.reach + added + after <= room;
  return { start: keepsStart ? 0 : first.start, end: keepsEnd ? text.length : last.end };
}

/**
 * In mode `code` the whole text is in one fence, which opens in the first chunk and closes in the last.
 * @throws Problem limit_too_small
 */
function codeFrame(markup: Markup, options: SplitOptions, seams: SeamMaker): Seam {
  const [fence] = markup.tokens;
  const run = '`'.repeat(fence?.kind === 'fence' ? fence.run : 0);
  const openingLength = run.length + options.language.length;
  const code = { run, language: options.language, openingLength, isFence: true };
  const frame = seams.make({ styles: null, quote: '', heading: '', code, lead: '' });
  if (frame === BARE_SEAM) throw limitTooSmall();
  return frame;
}

/** The first line that is not blank; its indentation stays unless there is much of it. */
function startOfText(text: string, room: number): number {
  const blank = text.length - text.trimStart().length;
  const lineStart = text.lastIndexOf('\n', blank) + 1;
  return blank - lineStart > room >> 2 ? blank : Math.min(lineStart, blank);
}

export function limitTooSmall(): Problem {
  return new Problem('limit_too_small', { field: 'max_length' });
}
