import { Problem } from '../../../kernel/problem.ts';
import { Boundaries } from '../chars/boundaries.ts';
import { NEWLINE } from '../chars/char-class.ts';
import type { Cut } from '../cuts/cut.ts';
import { CutFinder } from '../cuts/find-cuts.ts';
import { NO_REOPENING, type Reopening, MarkupReopener } from '../cuts/reopen-markup.ts';
import type { LineCount } from '../cuts/text-walk.ts';
import type { Markup } from '../markup/markup.ts';
import type { SplitOptions } from '../split-options.ts';
import { chooseCuts } from './choose-cuts.ts';
import { type ChunkPath, fillCounter, SEPARATOR_LENGTH, linesAfter, linesBefore } from './emit-chunks.ts';

/**
 * Finds the cuts to make, or null when no cuts make chunks that fit.
 * @param digits of a number in the counter
 * @throws Problem limit_too_small
 */
export function findPath(
  text: string,
  markup: Markup,
  options: SplitOptions,
  digits: number,
): ChunkPath | null {
  const { prepend, append, counter, maxLength, prefer, maxLines, unbreakable } = options;
  const isCode = options.mode === 'code';
  const prependLength = prepend === '' ? 0 : prepend.length + SEPARATOR_LENGTH;
  const appendLength = append === '' ? 0 : append.length + SEPARATOR_LENGTH;
  const filled = fillCounter(counter, '9'.repeat(digits), '9'.repeat(digits));
  const capacity =
    maxLength - prependLength - appendLength - (counter === '' ? 0 : filled.length + SEPARATOR_LENGTH);
  if (capacity < 1) throw limitTooSmall();

  const reopener = new MarkupReopener(capacity, options.reopen || isCode);
  const outermost = isCode ? reopenFence(markup, options, reopener) : NO_REOPENING;
  const finder = new CutFinder(
    {
      text,
      markup,
      clusters: new Boundaries(text, 'grapheme'),
      words: new Boundaries(text, 'word'),
      reopener,
      capacity,
      readsLines: options.mode === 'markdown',
      lines: maxLines === null ? null : countLines(text, options, filled),
    },
    // The first chunk needs no prefix, and the last one no suffix.
    { ...outermost, prefixLength: outermost.prefixLength - prependLength },
    isCode ? 0 : startOfText(text, capacity),
  );
  const end = isCode ? text.length : text.trimEnd().length;
  const cuts = finder.find(end, { ...outermost, suffixLength: outermost.suffixLength - appendLength });
  const path = chooseCuts(cuts, { prefer, maxLines, capacity, unbreakable });
  return path === null ? null : { path, ...endsOf(text, path, isCode || maxLines !== null ? 0 : capacity) };
}

function countLines(text: string, { prepend, append }: SplitOptions, counter: string): LineCount {
  return {
    at: countBreaksUpTo(text),
    before: (body) => linesBefore(prepend, body),
    after: (body, isLast) => linesAfter(isLast ? '' : append, body, counter),
  };
}

/** Counts the line breaks up to any position of a text. */
function countBreaksUpTo(text: string): (position: number) => number {
  const counts = new Uint32Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1) {
    counts[at + 1] = (counts[at] ?? 0) + (text.charCodeAt(at) === NEWLINE ? 1 : 0);
  }
  return (position) => counts[position] ?? 0;
}

/**
 * White space at the ends of the text stays if it fits.
 * @param capacity 0 drops that white space
 */
function endsOf(text: string, path: readonly Cut[], capacity: number) {
  const [first, second, beforeLast, last] = [path[0], path[1], path.at(-2), path.at(-1)];
  if (first === undefined || second === undefined || beforeLast === undefined || last === undefined)
    return { start: 0, end: text.length };
  const before = first.start;
  const keepsStart = second.endWithSuffix - first.startBeforePrefix + before <= capacity;
  const added = keepsStart && beforeLast === first ? before : 0;
  const keepsEnd =
    last.endWithSuffix - beforeLast.startBeforePrefix + added + text.length - last.end <= capacity;
  return { start: keepsStart ? 0 : first.start, end: keepsEnd ? text.length : last.end };
}

/**
 * In mode `code` the whole text is in one fence, which opens in the first chunk and closes in the last.
 * @throws Problem limit_too_small
 */
function reopenFence(markup: Markup, options: SplitOptions, reopener: MarkupReopener): Reopening {
  const [fence] = markup.tokens;
  const run = '`'.repeat(fence?.kind === 'fence' ? fence.run : 0);
  const openingLength = run.length + options.language.length;
  const code = { run, language: options.language, openingLength, isFence: true };
  const reopening = reopener.make({ styles: null, quote: '', heading: '', code, lead: '' });
  if (reopening === NO_REOPENING) throw limitTooSmall();
  return reopening;
}

/** Skips blank lines at the start. Keeps the indentation of the first line with text unless it is very long. */
function startOfText(text: string, capacity: number): number {
  const textStart = text.length - text.trimStart().length;
  const lineStart = text.lastIndexOf('\n', textStart) + 1;
  return textStart - lineStart > capacity >> 2 ? textStart : Math.min(lineStart, textStart);
}

export function limitTooSmall(): Problem {
  return new Problem('limit_too_small', { field: 'max_length' });
}
