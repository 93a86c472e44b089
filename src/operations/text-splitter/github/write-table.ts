import type { Place, Table } from './block.ts';
import type { ChangeCounts } from './change-counts.ts';
import type { ConvertedText } from './converted-text.ts';
import { widthOf } from './glyph-width.ts';
import type { Inline, InlineContext } from './inline.ts';
import { webUrl } from './link-target.ts';
import { readInline } from './read-inline.ts';
import { plainText } from './shown-text.ts';
import { codeLine, prefixOf, firstPrefixOf } from './write-code.ts';
import { writeInline } from './write-inline.ts';

/** Longer lines of code break on phones and in narrow windows. */
const CELLS_MAX = 56;
const COLUMN_GAP = 2;
const ROWS_PER_TURN = 64;

export type TableForm = 'auto' | 'code' | 'list';

/** What a chunk holds. */
export interface ChunkRoom {
  readonly measure: (text: string) => number;
  readonly length: number;
  readonly lines: number;
}

export interface TableOptions {
  readonly form: TableForm;
  readonly room: ChunkRoom;
  readonly context: InlineContext;
}

type Row = readonly (readonly Inline[])[];

/** Writes a table as aligned code, or as a list where it has links or is too wide for that. */
export function* writeTable(
  table: Table,
  place: Place,
  out: ConvertedText,
  options: TableOptions,
): Generator<void> {
  const { form, context } = options;
  const header = readRow(table.header, context);
  const rows: Row[] = [];
  for (const cells of table.rows) {
    rows.push(readRow(cells, context));
    if (rows.length % ROWS_PER_TURN === 0) yield;
  }
  const layout = form === 'list' ? null : yield* layOut(table, header, rows, form === 'code');
  if (layout !== null && fits(layout, place, options.room)) {
    yield* writeCode(layout, place, out, options.room);
    for (const row of [header, ...rows]) countLinks(row, context.changes);
  } else yield* writeList(header, rows, place, out, context.changes);
}

function readRow(cells: readonly string[], context: InlineContext): Row {
  return cells.map((cell) => readInline(cell, context));
}

function isLink(part: Inline): boolean {
  if (part.kind === 'link' || part.kind === 'image') return part.url !== null && webUrl(part.url) !== null;
  return part.kind === 'token' && /^<?https?:/i.test(part.text);
}

function countLinks(row: Row, changes: ChangeCounts): void {
  for (const part of row.flat()) if (part.kind !== 'token' && isLink(part)) changes.add('table_link_removed');
}

/** A table as lines of text in columns. */
interface Layout {
  readonly head: readonly string[];
  readonly lines: readonly string[];
}

function* layOut(
  { alignments }: Table,
  header: Row,
  rows: readonly Row[],
  isForced: boolean,
): Generator<void, Layout | null> {
  const texts: string[][] = [];
  const widths: number[] = [];
  for (const row of [header, ...rows]) {
    if (!isForced && row.some((cell) => cell.some(isLink))) return null;
    const cells = row.map((cell) => codeLine(plainText(cell)));
    for (const [column, cell] of cells.entries())
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    if (!isForced && lineWidth(widths) > CELLS_MAX) return null;
    texts.push(cells);
    if (texts.length % ROWS_PER_TURN === 0) yield;
  }
  const write = (cells: readonly string[]) => writeColumns(cells, widths, alignments);
  const [headTexts = [], ...rowTexts] = texts;
  const rule = widths.map((width) => '-'.repeat(Math.max(1, Math.round(width))));
  const hasHeader = headTexts.some((cell) => cell !== '');
  return { head: hasHeader ? [write(headTexts), write(rule)] : [], lines: rowTexts.map(write) };
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + COLUMN_GAP, -COLUMN_GAP);
}

/** Each cell begins, or ends, within half a cell of where its column does, however wide the glyphs before it are. */
function writeColumns(
  cells: readonly string[],
  widths: readonly number[],
  alignments: Table['alignments'],
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

/** Fences, line breaks and quote marks of a block round one line more than its head. */
function fits({ head, lines }: Layout, place: Place, room: ChunkRoom): boolean {
  const longest = lines.reduce((long, line) => (line.length > long.length ? line : long), '');
  const widest = Math.max(
    ...[...new Set(lines.length < 10_000 ? lines : [longest])].map((line) => room.measure(line)),
    0,
  );
  return (
    headLength(head, place, room) + widest + lineCost(place) <= room.length && head.length + 3 <= room.lines
  );
}

function lineCost(place: Place): number {
  return place.isQuoted ? 3 : 1;
}

function headLength(head: readonly string[], place: Place, room: ChunkRoom): number {
  const fences = 2 * (3 + lineCost(place));
  return head.reduce((sum, line) => sum + room.measure(line) + lineCost(place), fences);
}

/** Code blocks that each fit a chunk, each with the header. */
function* writeCode(layout: Layout, place: Place, out: ConvertedText, room: ChunkRoom): Generator<void> {
  const prefix = place.isQuoted ? '> ' : '';
  const { head, lines } = layout;
  const empty = headLength(head, place, room);
  const linesMax = room.lines - head.length - 2;
  for (let at = 0; at < lines.length || at === 0;) {
    const start = out.length;
    for (const line of ['```', ...head]) out.addLine(prefix + line);
    let length = empty;
    for (let count = 0; at < lines.length && count < linesMax; count += 1, at += 1) {
      const line = lines[at] ?? '';
      const cost = room.measure(line) + lineCost(place);
      if (length + cost > room.length && count > 0) break;
      length += cost;
      out.addLine(prefix + line);
    }
    out.addLine(`${prefix}\`\`\``);
    out.solids.push({ start, end: out.length - 1 });
    if (lines.length === 0) return;
    yield;
  }
}

/** A row is its first cell in bold, and a line for each other cell under the name of its column. */
function* writeList(
  header: Row,
  rows: readonly Row[],
  place: Place,
  out: ConvertedText,
  changes: ChangeCounts,
): Generator<void> {
  const write = (cell: readonly Inline[] | undefined, isBold = false) =>
    cell === undefined ? '' : writeInline(cell, { changes, isBold, lineBreak: ' / ' }).trim();
  const names = header.map((cell) => write(cell));
  const used = new Set<number>();
  for (const row of rows) {
    for (const [column, cell] of row.entries()) if (column > 0 && cell.length > 0) used.add(column);
  }
  // Columns whose names come with no value.
  const others = names.filter((name, column) => name !== '' && !used.has(column));
  let prefix = firstPrefixOf(place);
  const add = (line: string) => {
    out.addLine(prefix + line);
    prefix = prefixOf(place);
  };
  if (others.length > 0) add(`-# ${others.join(' · ')}`);
  let hasRows = false;
  for (const [index, row] of rows.entries()) {
    const values = row.slice(1).flatMap((cell, at) => {
      const value = write(cell);
      const name = names[at + 1] ?? '';
      return value === '' ? [] : [name === '' ? `- ${value}` : `- ${name}: ${value}`];
    });
    const first = write(row[0], true);
    if (hasRows && values.length > 0) out.addBlank(place.isQuoted);
    if (first !== '') add(values.length > 0 || row.length > 1 ? `**${first}**` : `- ${write(row[0])}`);
    for (const value of values) add(value);
    hasRows ||= first !== '' || values.length > 0;
    if (index % ROWS_PER_TURN === 0) yield;
  }
}
