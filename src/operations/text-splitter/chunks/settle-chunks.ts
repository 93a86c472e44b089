import type { Cut } from '../cuts/cut.ts';
import type { Ruler } from '../chars/length-unit.ts';
import { isBlock, readLineStart } from '../markup/line-start.ts';
import type { Markup } from '../markup/markup.ts';
import type { SplitOptions } from '../split-options.ts';
import type { ChunkPath } from './emit-chunks.ts';

/** Text within this many units decides what a link is, or whether a line goes on. */
const LINK_UNITS = 2500;
/** Words, clusters and the starts of lines are decided within this many units. */
const WORD_UNITS = 200;
/** The rest may have four chunk lengths. A chunk with its marks takes up to 1.5 of them, which leaves this many. */
const HELD_CHUNKS = 2.5;

/** Units that can begin or end a style, a token or a block of code. */
const MARKUP = /[`*_~|<[\]\\]|:\/\//g;

/** A line that opens a block of code, with anything that may be before it. LINE_UNITS are enough to see it. */
const FENCE_LINE = /^[ \t>*_~|-]*?(?:`{3}|~{3})/;
const LINE_UNITS = 44;

/** From here on, no chunk is made of a fence that is open or that could still turn out not to be one. */
export function heldFrom(text: string, ruler: Ruler, { maxLength }: SplitOptions): number {
  return placeBefore(ruler, text.length - LINK_UNITS, maxLength * HELD_CHUNKS);
}

/**
 * The number of chunks that no later text can change. A pair of marks is at most `maxLength` long, so text further than
 * that from the end keeps its styles. So does text with no markup after it.
 */
export function countSettled(
  text: string,
  markup: Markup,
  { path }: ChunkPath,
  ruler: Ruler,
  options: SplitOptions,
): number {
  const { maxLength } = options;
  const reach = placeBefore(ruler, text.length - LINK_UNITS, maxLength);
  const settled = Math.min(nextUndecided(text, markup, reach), text.length - WORD_UNITS, markup.openFence);
  const last = path.length - 2;
  let count = path.findLastIndex(
    ({ start, end }, at) => at <= last && (at === 0 || (end <= settled && beginsWell(text, start))),
  );
  // Something that is open for longer is cut as in a complete text.
  while (lengthOfRest(path[count]) > maxLength * 4 + LINK_UNITS) count += 1;
  return count;

  function lengthOfRest(cut: Cut | undefined): number {
    return cut === undefined ? 0 : ruler.at(text.length) - cut.startLength + cut.seam.prefixLength;
  }
}

/** Goes before the text that comes next: the marks of everything open, and the text that no chunk holds yet. */
export function restAfter(text: string, { path, start }: ChunkPath, count: number, isCode: boolean): string {
  const cut = path[count];
  if (count === 0 || cut === undefined) return text.slice(start);
  // A text that is all code gets its fence again anyway.
  return (isCode ? '' : cut.seam.prefix) + text.slice(cut.start);
}

/** Leaves out white space at the end that is longer than a chunk, so that the rest stays small. */
export function shortenBlankEnd(text: string, maxLength: number): string {
  const end = text.trimEnd().length;
  return text.length - end <= maxLength ? text : text.slice(0, end) + text.slice(text.length - maxLength);
}

/** The first sign from `from` on whose meaning more text could change. */
function nextUndecided(text: string, { tokens }: Markup, from: number): number {
  let token = 0;
  let at = from;
  for (;;) {
    while ((tokens[token]?.end ?? Infinity) <= at) token += 1;
    MARKUP.lastIndex = at;
    const found = MARKUP.exec(text)?.index ?? text.length;
    // Nothing in a block of code can become markup.
    while ((tokens[token]?.start ?? Infinity) < found && tokens[token]?.kind !== 'fence') token += 1;
    const fence = tokens[token];
    if (fence === undefined || fence.start > found) return found;
    at = fence.end;
    if (at >= text.length) return text.length;
  }
}

/** True when a text may begin there: words from within a line must not become a quote, a heading or a fence. */
function beginsWell(text: string, start: number): boolean {
  if (start === 0 || text[start - 1] === '\n') return true;
  return (
    !isBlock(readLineStart(text, start, false)) && !FENCE_LINE.test(text.slice(start, start + LINE_UNITS))
  );
}

/** The first place that is at most `length` before `end`. */
function placeBefore(ruler: Ruler, end: number, length: number): number {
  let low = 0;
  let high = Math.max(0, end);
  const far = ruler.at(high) - length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ruler.at(middle) < far) low = middle + 1;
    else high = middle;
  }
  return low;
}
