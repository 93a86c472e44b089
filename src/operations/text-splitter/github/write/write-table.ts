import type { Place, Table } from '../read/block.ts';
import type { ChangeCounts } from '../read/change-counts.ts';
import type { Inline, InlineContext } from '../read/inline.ts';
import { isPlain, partsOf, readInline } from '../read/read-inline.ts';
import type { ConvertedText } from './converted-text.ts';
import {
  type Cell,
  type ChunkRoom,
  headLength,
  isLink,
  type Layout,
  layOut,
  lineCost,
  type Row,
} from './table-layout.ts';
import { firstPrefixOf, prefixOf } from './write-code.ts';
import { writeInline } from './write-inline.ts';

const CELLS_PER_TURN = 1_024;

export type TableForm = 'auto' | 'code' | 'list';

export interface TableOptions {
  readonly form: TableForm;
  readonly room: ChunkRoom;
  readonly context: InlineContext;
}

/** Writes a table as aligned code, or as a list where it has links or is too wide for that. */
export function* writeTable(
  table: Table,
  place: Place,
  out: ConvertedText,
  { form, room, context }: TableOptions,
): Generator<void> {
  const header = yield* readRow(table.header, context);
  const rows: Row[] = [];
  yield* forEachRow(table.rows, function* (cells) {
    rows.push(yield* readRow(cells, context));
  });
  const { alignments } = table;
  const wanted = { alignments, place, room, isForced: form === 'code', lengthMax: out.room };
  const layout = form === 'list' ? null : yield* layOut(header, rows, wanted);
  const names: string[] = [];
  for (const cell of header) names.push(yield* writeCell(cell, out, context));
  const list = new RowList(names, place, out, context);
  if (layout === null) {
    yield* list.addNames(rows);
    yield* forEachRow(rows, (row) => list.addRow(row));
    return;
  }
  yield* writeCode(layout, place, out, room, (index) => list.addRow(rows[index] ?? []));
  // Without being asked for, no table with links is code.
  if (form !== 'code') return;
  countLinks(header, context.changes);
  yield* forEachRow(rows, (row, index) => {
    if (layout.lines[index] !== null) countLinks(row, context.changes);
  });
}

/** Gives the event loop back after a number of cells. */
function* forEachRow<Each extends { readonly length: number }>(
  rows: readonly Each[],
  work: (row: Each, index: number) => Generator<void> | void,
): Generator<void> {
  let cells = 0;
  for (const [index, row] of rows.entries()) {
    const steps = work(row, index);
    if (steps !== undefined) yield* steps;
    cells += row.length + 1;
    if (cells < CELLS_PER_TURN) continue;
    cells = 0;
    yield;
  }
}

function* readRow(cells: readonly string[], context: InlineContext): Generator<void, Row> {
  // Most rows are words alone. They are taken as they are: a table of short rows is a million objects less.
  if (cells.every(isPlain)) return cells;
  const row: Cell[] = [];
  for (const cell of cells) {
    if (isPlain(cell)) {
      row.push(cell);
      continue;
    }
    const parts: (readonly Inline[])[] = [];
    for (const [index, part] of partsOf(cell).entries()) {
      if (index > 0) yield;
      parts.push(readInline(part, context));
    }
    row.push(parts);
  }
  return row;
}

function countLinks(row: Row, changes: ChangeCounts): void {
  for (const part of row.flat(2)) {
    if (typeof part === 'string' || part.kind === 'token') continue;
    if (isLink(part)) changes.add('table_link_removed');
  }
}

/**
 * Code blocks that each fit a chunk, each with the header.
 * @param writeLong writes a row, by its index, that is longer than a chunk
 */
function* writeCode(
  { head, lines }: Layout,
  place: Place,
  out: ConvertedText,
  room: ChunkRoom,
  writeLong: (index: number) => Generator<void>,
): Generator<void> {
  const prefix = place.isQuoted ? '> ' : '';
  const empty = headLength(head, place, room);
  const linesMax = room.lines - head.length - 2;
  for (let at = 0; at < lines.length || at === 0;) {
    if (lines[at] === null) {
      yield* writeLong(at);
      at += 1;
      continue;
    }
    const start = out.length;
    for (const line of ['```', ...head]) out.addLine(prefix + line);
    let length = empty;
    for (let count = 0; at < lines.length && count < linesMax; count += 1, at += 1) {
      const line = lines[at];
      if (line === null || line === undefined) break;
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

/** Writes rows as lists: the first cell in bold, with a blank line before it, and a line for each other cell under the name of its column. */
class RowList {
  readonly #place: Place;
  readonly #out: ConvertedText;
  readonly #context: InlineContext;
  readonly #names: readonly string[];
  #hasRows = false;
  /** Where a list item begins with the table, its marker is before the first line. */
  #prefix: string;

  constructor(names: readonly string[], place: Place, out: ConvertedText, context: InlineContext) {
    this.#place = place;
    this.#out = out;
    this.#context = context;
    this.#names = names;
    this.#prefix = firstPrefixOf(place);
  }

  /** Names of columns that come with no value are written once. */
  *addNames(rows: readonly Row[]): Generator<void> {
    const used = new Set<number>();
    yield* forEachRow(rows, (row) => {
      for (const [column, cell] of row.entries()) if (column > 0 && cell.length > 0) used.add(column);
    });
    const others = this.#names.filter((name, column) => name !== '' && !used.has(column));
    if (others.length > 0) this.#add(`-# ${others.join(' · ')}`);
  }

  *addRow(row: Row): Generator<void> {
    const values: string[] = [];
    for (const [at, cell] of row.slice(1).entries()) {
      const value = yield* writeCell(cell, this.#out, this.#context);
      const name = this.#names[at + 1] ?? '';
      if (value !== '') values.push(name === '' ? `- ${value}` : `- ${name}: ${value}`);
    }
    const first = yield* writeCell(row[0], this.#out, this.#context, true);
    if (first === '' && values.length === 0) return;
    if (this.#hasRows) this.#out.addBlank(this.#place.isQuoted);
    if (first !== '') this.#add(`**${first}**`);
    for (const value of values) this.#add(value);
    this.#hasRows = true;
  }

  #add(line: string): void {
    this.#out.addLine(this.#prefix + line);
    this.#prefix = prefixOf(this.#place);
  }
}

/** @throws Problem text_too_long */
function* writeCell(
  cell: Cell | undefined,
  { room }: ConvertedText,
  context: InlineContext,
  isBold = false,
): Generator<void, string> {
  let text = '';
  for (const parts of typeof cell === 'string' ? [[{ kind: 'text', text: cell } as const]] : (cell ?? [])) {
    if (text !== '') yield;
    text += writeInline(parts, { context, isBold, lineBreak: ' / ', lengthMax: room - text.length });
  }
  return text.trim();
}
