import type { Alignment, Place } from '../read/block.ts';
import { type Inline, plainText } from '../read/inline.ts';
import { INLINE_LENGTH_MAX } from '../read/read-inline.ts';
import { webUrl } from '../read/link-target.ts';
import { textTooLong } from './converted-text.ts';
import { widthOf } from './glyph-width.ts';
import { codeLine } from './write-code.ts';

/** Longer lines of code break on phones and in narrow windows. */
const CELLS_MAX = 56;
const COLUMN_GAP = 2;
const CELLS_PER_TURN = 1_024;
/** So much text takes as long as a cell. */
const CELL_UNITS = 16;

/** What a chunk holds. */
export interface ChunkRoom {
  readonly measure: (text: string) => number;
  readonly length: number;
  readonly lines: number;
}

/** What was read in a cell, part by part, or its text where that has no marks. */
export type Cell = string | readonly (readonly Inline[])[];
export type Row = readonly Cell[];

/** A table as lines of text in columns. */
export interface Layout {
  readonly head: readonly string[];
  /** null for a row that is longer than a chunk. */
  readonly lines: readonly (string | null)[];
}

interface LayoutOptions {
  readonly alignments: readonly Alignment[];
  readonly place: Place;
  readonly room: ChunkRoom;
  /** Also with links, and however wide it is. */
  readonly isForced: boolean;
  /** Of all lines together. */
  readonly lengthMax: number;
}

/**
 * Puts a table into columns; null where it is better as a list.
 * @throws Problem text_too_long
 */
export function* layOut(
  header: Row,
  rows: readonly Row[],
  { alignments, place, room, isForced, lengthMax }: LayoutOptions,
): Generator<void, Layout | null> {
  const texts: (readonly string[] | null)[] = [];
  const widths: number[] = [];
  let frame = 0;
  let cellCount = 0;
  for (let index = -1; index < rows.length; index += 1) {
    const row = index < 0 ? header : (rows[index] ?? []);
    cellCount += row.length + 1;
    if (cellCount >= CELLS_PER_TURN) {
      cellCount = 0;
      yield;
    }
    if (!isForced && row.some(hasLink)) return null;
    if (row.some(isLong)) {
      if (index < 0) return null;
      texts.push(null);
      continue;
    }
    const cells = row.every(isCodeLine) ? row : row.map(codeLineOf);
    const text = cells.length === 1 ? (cells[0] ?? '') : cells.join(' '.repeat(COLUMN_GAP));
    cellCount += text.length / CELL_UNITS;
    // The rule under the header is as long as the header.
    if (texts.length === 0) frame = headLength([text, text], place, room) + lineCost(place);
    else if (frame + room.measure(text) > room.length) {
      texts.push(null);
      continue;
    }
    for (const [column, cell] of cells.entries())
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    if (!isForced && lineWidth(widths) > CELLS_MAX) return null;
    texts.push(cells);
  }
  const headTexts = texts.shift();
  const rule = widths.map((width) => '-'.repeat(Math.max(1, Math.round(width))));
  const hasHeader = headTexts?.some((cell) => cell !== '') === true;
  const write = (cells: readonly string[]) => writeColumns(cells, widths, alignments);
  const head = hasHeader ? [write(headTexts), write(rule)] : [];
  const lines: (string | null)[] = [];
  let length = 0;
  /** -1 while all are too long for a chunk. */
  let longest = -1;
  for (const cells of texts) {
    const line = cells === null ? null : write(cells);
    length += line?.length ?? 0;
    if (line !== null) longest = Math.max(longest, room.measure(line));
    // One wide cell makes all rows wide.
    if (length > lengthMax) throw textTooLong();
    lines.push(line);
    cellCount += widths.length + 1;
    if (cellCount < CELLS_PER_TURN) continue;
    cellCount = 0;
    yield;
  }
  // A chunk holds the head, fences and any one line; not all lines are too long for that.
  const most = room.length - headLength(head, place, room) - lineCost(place);
  const isFitting = head.length + 3 <= room.lines && most >= 0 && longest <= most;
  return isFitting && (lines.length === 0 || longest >= 0) ? { head, lines } : null;
}

function hasLink(cell: Cell): boolean {
  return typeof cell !== 'string' && cell.some((parts) => parts.some(isLink));
}

/** No line of code: its row is written as a list. */
function isLong(cell: Cell): boolean {
  return typeof cell === 'string' ? cell.length > INLINE_LENGTH_MAX : cell.length > 1;
}

/** Whether a cell is shown in code as it is: most are, and their row needs no copy. */
function isCodeLine(cell: Cell): cell is string {
  return typeof cell === 'string' && codeLine(cell) === cell;
}

function codeLineOf(cell: Cell): string {
  return codeLine(typeof cell === 'string' ? cell : plainText(cell.flat()));
}

export function isLink(part: Inline): boolean {
  if (part.kind === 'link' || part.kind === 'image') return part.url !== null && webUrl(part.url) !== null;
  return part.kind === 'token' && /^<?https?:/i.test(part.text);
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + COLUMN_GAP, -COLUMN_GAP);
}

/** Each cell begins, or ends, within half a cell of where its column does, however wide the glyphs before it are. */
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
    const blanks = Math.max(0, Math.round(columnStart + lead - width));
    line += ' '.repeat(blanks) + cell;
    width += blanks + cellWidth;
    columnStart += columnWidth + COLUMN_GAP;
  }
  return line.trimEnd();
}

/** Of a line with its break and the sign of a quote. */
export function lineCost(place: Place): number {
  return place.isQuoted ? 3 : 1;
}

/** Of a block of code with nothing but the head. */
export function headLength(head: readonly string[], place: Place, room: ChunkRoom): number {
  const fences = 2 * (3 + lineCost(place));
  return head.reduce((sum, line) => sum + room.measure(line) + lineCost(place), fences);
}
