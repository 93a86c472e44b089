import type { Alignment, Nesting, Table } from '../read/block.ts';
import { ChangeCounts } from '../change-counts.ts';
import { type Inline, type InlineContext, plainText } from '../read/inline.ts';
import { INLINE_LENGTH_MAX, readInline } from '../read/read-inline.ts';
import { webUrl } from '../read/link-target.ts';
import { type ConvertedText, textTooLong } from './converted-text.ts';
import { codeLine } from './write-code.ts';

/** Wider lines of code wrap on phones and in narrow windows. In widths of an ASCII character. */
const LINE_WIDTH_MAX = 56;
const COLUMN_GAP = '  ';

/** The limits of a chunk. */
export interface ChunkCapacity {
  readonly length: number;
  readonly lines: number;
}

/** A table as lines of text in columns. */
export interface Layout {
  readonly head: readonly string[];
  /** null for a row that is longer than a chunk. */
  readonly lines: readonly (string | null)[];
}

interface LayoutOptions {
  readonly nesting: Nesting;
  readonly capacity: ChunkCapacity;
  readonly context: InlineContext;
  /** Uses columns also with links and code, and at any width. */
  readonly isForced: boolean;
  readonly out: ConvertedText;
}

/**
 * Puts a table into columns. Returns null if it is better as a list.
 * @throws Problem text_too_long
 */
export function layOut(
  { header, rows, alignments }: Table,
  { nesting, capacity, context, isForced, out }: LayoutOptions,
): Layout | null {
  const changes = new ChangeCounts();
  const widths: number[] = [];
  const isList = (needsList: boolean) => !isForced && (needsList || lineWidth(widths) > LINE_WIDTH_MAX);
  const head = readCells(header, { ...context, changes });
  if (head.cells === null) return null;
  widen(widths, head.cells);
  if (isList(head.needsList)) return null;
  const text = head.cells.join(COLUMN_GAP);
  // The rule under the header is as long as the header.
  const fixedLength = headLength([text, text], nesting) + lineCost(nesting);
  const texts: (readonly string[] | null)[] = [];
  for (const row of rows) {
    const found = new ChangeCounts();
    const { cells, needsList } = readCells(row, { ...context, changes: found });
    const isFitting = cells !== null && fixedLength + cells.join(COLUMN_GAP).length <= capacity.length;
    if (isFitting) {
      widen(widths, cells);
      changes.addAll(found);
    }
    if (isList(needsList)) return null;
    texts.push(isFitting ? cells : null);
  }
  const rule = widths.map((width) => '-'.repeat(Math.max(1, Math.round(width))));
  const write = (cells: readonly string[]) => writeColumns(cells, widths, alignments);
  const headLines = head.cells.some((cell) => cell !== '') ? [write(head.cells), write(rule)] : [];
  const lines: (string | null)[] = [];
  let length = 0;
  /** -1 until a row fits a chunk. */
  let longest = -1;
  for (const cells of texts) {
    const line = cells === null ? null : write(cells);
    length += line?.length ?? 0;
    if (line !== null) longest = Math.max(longest, line.length);
    // One wide cell makes all rows wide.
    if (length > out.lengthLeft) throw textTooLong();
    lines.push(line);
  }
  // A chunk has space for the head, fences and any one line, unless all lines are too long.
  const lineLengthMax = capacity.length - headLength(headLines, nesting) - lineCost(nesting);
  const isFitting = headLines.length + 3 <= capacity.lines && lineLengthMax >= 0 && longest <= lineLengthMax;
  if (!isFitting || (lines.length > 0 && longest < 0)) return null;
  context.changes.addAll(changes);
  return { head: headLines, lines };
}

interface RowText {
  /** The text of the cells in code, or null if one is longer than a line can be. */
  readonly cells: readonly string[] | null;
  /** True when a cell has a link or a token, which only a list can show. */
  readonly needsList: boolean;
}

function readCells(row: readonly string[], context: InlineContext): RowText {
  const cells: string[] = [];
  let needsList = false;
  for (const cell of row) {
    if (cell.length > INLINE_LENGTH_MAX) return { cells: null, needsList };
    const parts = readInline(cell, context);
    for (const part of parts.filter(isLostInCode)) {
      needsList = true;
      // A bare URL shows its text.
      if (part.kind === 'link' || part.kind === 'image') context.changes.add('table_link_removed');
    }
    cells.push(codeLine(plainText(parts), context.changes));
  }
  return { cells, needsList };
}

/** True for links, and for tokens that code shows as letters: mentions, emoji, times. */
function isLostInCode(part: Inline): boolean {
  if (part.kind === 'link' || part.kind === 'image') return part.url !== null && webUrl(part.url) !== null;
  return part.kind === 'token' || (part.kind === 'text' && /(?:^|[\s*_~(])www\.[\w-]+\.\w/.test(part.text));
}

function widen(widths: number[], cells: readonly string[]): void {
  for (const [column, cell] of cells.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + COLUMN_GAP.length, -COLUMN_GAP.length);
}

/**
 * Writes columns. Each cell begins, or ends, within half a character of its column's edge, however wide the glyphs
 * before it are.
 */
function writeColumns(
  cells: readonly string[],
  widths: readonly number[],
  alignments: readonly Alignment[],
): string {
  let line = '';
  let width = 0;
  let columnStart = 0;
  for (const [column, cell] of cells.entries()) {
    const columnWidth = widths[column] ?? 0;
    const cellWidth = widthOf(cell);
    const lead = alignments[column] === 'right' ? columnWidth - cellWidth : 0;
    const spaces = Math.max(0, Math.round(columnStart + lead - width));
    line += ' '.repeat(spaces) + cell;
    width += spaces + cellWidth;
    columnStart += columnWidth + COLUMN_GAP.length;
  }
  return line.trimEnd();
}

/** The length that each line adds: its line break and the mark of a quote. */
export function lineCost(nesting: Nesting): number {
  return nesting.isQuoted ? 3 : 1;
}

/** The length of a block of code with only the head. */
export function headLength(head: readonly string[], nesting: Nesting): number {
  const fences = 2 * (3 + lineCost(nesting));
  return head.reduce((sum, line) => sum + line.length + lineCost(nesting), fences);
}

/** Width of an ideograph or an emoji in Discord's code font, in widths of an ASCII character. */
const WIDE_WIDTH = 1.7;

const ZERO_WIDTH = /[\p{M}\p{Cf}]|\p{Emoji_Modifier}/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const NARROW_ONLY = /^[\u0020-\u02ff\u0370-\u0482\u048a-\u052f]*$/;
const JOINER = 0x200d;

/** The width of a line in a code block of Discord, in widths of an ASCII character. */
function widthOf(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  let isJoined = false;
  let isHalfFlag = false;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const isFlag = code >= 0x1f1e6 && code <= 0x1f1ff;
    if (code === JOINER) isJoined = true;
    else if (ZERO_WIDTH.test(char)) continue;
    else if (isFlag && isHalfFlag) isHalfFlag = false;
    else {
      // A glyph that a joiner ties to the one before has no width of its own.
      if (!isJoined) width += code > 0x7f && WIDE.test(char) ? WIDE_WIDTH : 1;
      isJoined = false;
      isHalfFlag = isFlag;
    }
  }
  return width;
}
