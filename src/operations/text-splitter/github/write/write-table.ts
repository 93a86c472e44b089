import type { Nesting, Table } from '../read/block.ts';
import type { InlineContext } from '../read/inline.ts';
import { partsOf, readInline } from '../read/read-inline.ts';
import type { ConvertedText } from './converted-text.ts';
import { type ChunkCapacity, headLength, type Layout, layOut, lineCost } from './table-layout.ts';
import { firstPrefixOf, prefixOf } from './write-code.ts';
import { writeInline } from './write-inline.ts';

export type TableForm = 'auto' | 'code' | 'list';

export interface TableOptions {
  readonly form: TableForm;
  readonly capacity: ChunkCapacity;
  readonly context: InlineContext;
}

/** Writes a table as aligned code, or as a list if it has links or is too wide for that. */
export function writeTable(
  table: Table,
  nesting: Nesting,
  out: ConvertedText,
  { form, capacity, context }: TableOptions,
): void {
  const wanted = { nesting, capacity, context, isForced: form === 'code', out };
  const layout = form === 'list' ? null : layOut(table, wanted);
  const list = new RowList(table, nesting, out, context);
  if (layout !== null) writeLayout(layout, nesting, out, capacity, list);
  else list.addAll();
}

/** Writes code blocks with the header that each fit a chunk. A row that is longer than a chunk becomes a list. */
function writeLayout(
  { head, lines }: Layout,
  nesting: Nesting,
  out: ConvertedText,
  capacity: ChunkCapacity,
  list: RowList,
): void {
  const prefix = nesting.isQuoted ? '> ' : '';
  const empty = headLength(head, nesting);
  const linesMax = capacity.lines - head.length - 2;
  for (let at = 0; at < lines.length || at === 0;) {
    if (lines[at] === null) {
      list.addRow(at);
      at += 1;
      continue;
    }
    const start = out.length;
    for (const line of ['```', ...head]) out.addLine(prefix + line);
    let length = empty;
    for (let count = 0; at < lines.length && count < linesMax; count += 1, at += 1) {
      const line = lines[at];
      if (line === null || line === undefined) break;
      const cost = line.length + lineCost(nesting);
      if (length + cost > capacity.length && count > 0) break;
      length += cost;
      out.addLine(prefix + line);
    }
    out.addLine(`${prefix}\`\`\``);
    out.unbreakable.push({ start, end: out.length - 1 });
    if (lines.length === 0) return;
  }
}

/**
 * Writes rows as lists: the first cell in bold, with a blank line before it, and a line for each other cell under the
 * name of its column.
 */
class RowList {
  readonly #table: Table;
  readonly #nesting: Nesting;
  readonly #out: ConvertedText;
  readonly #context: InlineContext;
  #names: readonly string[] | null = null;
  #hasRows = false;
  #isRowNew = false;
  /** If a list item begins with the table, its marker is before the first line. */
  #prefix: string;

  constructor(table: Table, nesting: Nesting, out: ConvertedText, context: InlineContext) {
    this.#table = table;
    this.#nesting = nesting;
    this.#out = out;
    this.#context = context;
    this.#prefix = firstPrefixOf(nesting);
  }

  addAll(): void {
    const { rows } = this.#table;
    const used = new Set<number>();
    for (const row of rows) {
      // The first cell is a title.
      for (const [column, cell] of row.entries()) if (column > 0 && cell.trim() !== '') used.add(column);
    }
    // Names of columns that have no value in any row are written once.
    const others = this.#readNames().filter((name, column) => name !== '' && !used.has(column));
    if (others.length > 0) this.#addLine(`-# ${others.join(' · ')}`);
    for (const index of rows.keys()) this.addRow(index);
  }

  addRow(index: number): void {
    this.#isRowNew = true;
    const names = this.#readNames();
    for (const [column, cell] of (this.#table.rows[index] ?? []).entries()) {
      const text = this.#write(cell, column === 0);
      const name = names[column] ?? '';
      if (text !== '') this.#add(column === 0 ? text : `- ${name === '' ? text : `${name}: ${text}`}`);
    }
  }

  /** Begins a row. A blank line is before each row but the first. */
  #beginRow(): void {
    if (this.#isRowNew && this.#hasRows) this.#out.addBlank(this.#nesting.isQuoted);
    this.#isRowNew = false;
    this.#hasRows = true;
  }

  #readNames(): readonly string[] {
    this.#names ??= this.#table.header.map((cell) => this.#write(cell));
    return this.#names;
  }

  /** @throws Problem text_too_long */
  #write(cell: string, isBold = false): string {
    const context = this.#context;
    let text = '';
    for (const part of partsOf(cell)) {
      const lengthMax = this.#out.lengthLeft - text.length;
      text += writeInline(readInline(part, context), { context, isBold, lineBreak: ' / ', lengthMax });
    }
    return text.trim();
  }

  #add(line: string): void {
    this.#beginRow();
    this.#addLine(line);
  }

  #addLine(line: string): void {
    this.#out.addLine(this.#prefix + line);
    this.#prefix = prefixOf(this.#nesting);
  }
}
