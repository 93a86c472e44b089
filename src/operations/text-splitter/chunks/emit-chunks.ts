import { isWordUnit, UNDERSCORE } from '../chars/char-class.ts';
import type { CutKind } from '../cuts/costs.ts';
import type { Cut } from '../cuts/cut.ts';
import type { SplitOptions } from '../split-options.ts';

/** The cuts to make. */
export interface ChunkPath {
  /** From the start to the end of the text, both included. */
  readonly path: readonly Cut[];
  /** The start of the first chunk, and the end of the last one. */
  readonly start: number;
  readonly end: number;
}

/** Where in the text a chunk stands: without the additions it is `text.slice(start, end)`. */
export interface ChunkPosition {
  readonly start: number;
  readonly end: number;
  readonly addedPrefix: string;
  readonly addedSuffix: string;
  /** The kind of cut at its end. */
  readonly cut: CutKind;
}

/** A quote, heading, list item, table row or fence, which must begin its line and takes all of it. */
const BLOCK = /^[ \t]*(?:>|#{1,3} |-# |[-*+] |\d{1,9}[.)] |\||```|~~~)/;

/** Length of the line break or space between an addition and the text. */
export const SEPARATOR_LENGTH = 1;

export function fillCounter(template: string, index: number | string, count: number | string): string {
  return template.replaceAll('{i}', String(index)).replaceAll('{n}', String(count));
}

/** Writes the first `count` chunks between the chosen cuts. */
export function emitChunks(
  text: string,
  { path, start: textStart, end: textEnd }: ChunkPath,
  { prepend, append, counter }: SplitOptions,
  count: number,
): { chunks: string[]; pieces: ChunkPosition[] } {
  const chunks: string[] = [];
  const pieces: ChunkPosition[] = [];
  for (const [index, from] of path.slice(0, count).entries()) {
    const to = path[index + 1];
    if (to === undefined) break;
    const isLast = index === path.length - 2;
    const start = index === 0 ? textStart : from.start;
    const end = isLast ? textEnd : to.end;
    const opening = from.reopening.prefix;
    const closing = to.reopening.suffix;
    const own = text.slice(start, end);
    let body = opening + own + closing;
    const addedPrefix = index === 0 ? opening : joinBefore(prepend, body) + opening;
    let addition = isLast ? '' : joinAfter(body, append);
    body += addition;
    if (counter !== '' && count > 1) addition += joinCounter(body, fillCounter(counter, index + 1, count));
    const addedSuffix = closing + addition;
    chunks.push(addedPrefix + own + addedSuffix);
    pieces.push({ start, end, addedPrefix, addedSuffix, cut: to.kind });
  }
  return { chunks, pieces };
}

/**
 * The number of lines that `prepend` adds before a chunk.
 * @param body the beginning of the chunk
 */
export function linesBefore(prepend: string, body: string): number {
  return joinBefore(prepend, body).split('\n').length - 1;
}

/**
 * The number of lines that `append` and the counter add after a chunk.
 * @param body the end of the chunk
 */
export function linesAfter(append: string, body: string, counter: string): number {
  const appended = joinAfter(body, append);
  const added = counter === '' ? appended : appended + joinCounter(body + appended, counter);
  return added.split('\n').length - 1;
}

function joinBefore(addition: string, body: string): string {
  if (addition === '' || addition.endsWith('\n')) return addition;
  return BLOCK.test(body.slice(0, 100)) ? `${addition}\n` : addition;
}

function joinAfter(body: string, addition: string): string {
  if (addition === '' || addition.startsWith('\n')) return addition;
  if (/^[ \t>]*(?:`{3,}|~{3,})/.test(lastLine(body))) return `\n${addition}`;
  // `_style_word` is not a style, so the underscore must not touch a letter.
  const touches = body.charCodeAt(body.length - 1) === UNDERSCORE && isWordUnit(addition.charCodeAt(0));
  return touches ? ` ${addition}` : addition;
}

function joinCounter(body: string, counter: string): string {
  if (/^\s/.test(counter)) return counter;
  return (BLOCK.test(lastLine(body)) ? '\n' : ' ') + counter;
}

/** The first 100 code units of the last line. */
function lastLine(body: string): string {
  const start = body.lastIndexOf('\n') + 1;
  return body.slice(start, start + 100);
}
