import type { Alignment, Block, Cell, CodeLines, Place } from './block.ts';
import type { ChangeCounts } from './change-counts.ts';
import { decodeEntities } from './entities.ts';
import { type HtmlPart, readHtmlPart } from './html-parts.ts';
import { BLOCK_NAMES, LIST_DEPTH_MAX, readAttribute, readNumber, type Tag, withoutTags } from './html.ts';
import { COLUMNS_MAX, readFence } from './line-kinds.ts';

type CellParts = (string | CodeLines)[];
/** Further code blocks in a cell become text: a cell is read in one turn. */
const CELL_PARTS_MAX = 100;

/** Each of these becomes one line, however many lines it has in the source, and begins with this mark. */
const TITLES: Readonly<Record<string, string>> = {
  h1: '# ',
  h2: '## ',
  h3: '### ',
  h4: '**',
  h5: '**',
  h6: '**',
  summary: '**',
};

/** Turns a block of HTML into texts, code and tables. Tags inside a line are left to read-inline. */
export function readHtmlBlocks({ html, place }: Block & { kind: 'html' }, changes: ChangeCounts): Block[] {
  const writer = new HtmlWriter(place, changes);
  const fences = new CellFences(html);
  for (let at = 0; at < html.length;) {
    const part = readHtmlPart(html, at);
    const fence = part.kind === 'text' && writer.isInCell ? fences.find(at, part.end) : null;
    if (fence !== null) {
      writer.addText(html.slice(at, fence.at));
      writer.addCode(fence.code);
    } else addPart(html, at, part, writer, changes);
    at = fence?.end ?? part.end;
  }
  return writer.finish();
}

function addPart(html: string, at: number, part: HtmlPart, writer: HtmlWriter, changes: ChangeCounts): void {
  switch (part.kind) {
    case 'text':
      writer.addText(html.slice(at, part.end));
      return;
    case 'hidden':
      changes.add(part.isComment ? 'comment' : 'html');
      writer.addHidden();
      return;
    case 'raw':
      changes.add('html');
      if (part.name === 'pre' || part.name === 'textarea') {
        const text = decodeEntities(withoutTags(part.body));
        writer.addCode({ lines: text.replace(/^\n/, '').trimEnd().split('\n'), language: '' });
      }
      return;
    case 'tag':
      writer.addTag(part.tag, html.slice(at, part.end));
  }
}

interface FoundFence {
  readonly at: number;
  readonly end: number;
  readonly code: CodeLines;
}

const FENCE_LINE = /^ {0,3}(`{3,10}(?!`)|~{3,10}(?!~))[^`\n]*$/gm;

/** Finds the blocks of code in the cells of a table, which are Markdown in HTML. Ask it in the order of the text. */
class CellFences {
  readonly #html: string;
  /** The next line that opens a block. */
  #at = -1;

  constructor(html: string) {
    this.#html = html;
  }

  /** The first block that begins between two places and is closed; null when there is none. */
  find(from: number, to: number): FoundFence | null {
    if (this.#at < from) {
      FENCE_LINE.lastIndex = from;
      this.#at = FENCE_LINE.exec(this.#html)?.index ?? Infinity;
    }
    const at = this.#at;
    if (at >= to) return null;
    const html = this.#html;
    FENCE_LINE.lastIndex = at;
    const [line = '', run = ''] = FENCE_LINE.exec(html) ?? [];
    const bodyStart = at + line.length + 1;
    const close = new RegExp(`^ {0,3}${run}${run.charAt(0)}*[ \\t]*$`, 'gm');
    close.lastIndex = bodyStart;
    const closing = close.exec(html);
    // A block without an end would swallow the rest of the table.
    if (closing === null) return null;
    const lines = html.slice(bodyStart, Math.max(bodyStart, closing.index - 1)).split('\n');
    const language = readFence(line.trim())?.language ?? '';
    return { at, end: closing.index + closing[0].length, code: { lines, language } };
  }
}

class HtmlWriter {
  readonly #changes: ChangeCounts;
  readonly #blocks: Block[] = [];
  readonly #lists: { readonly isNumbered: boolean; next: number }[] = [];
  #place: Place;
  #lines: string[] = [];
  #line = '';
  /** The mark of the open title. */
  #title = '';
  /** Rows of the open table, without the last cell. */
  #rows: Cell[][] = [];
  #cell: CellParts | null = null;
  #alignments: Alignment[] = [];
  #hasHeader = false;
  #tableDepth = 0;
  #isInCell = false;
  /** Text in the open table but outside any cell. Browsers show it before the table. */
  #stray: CellParts = [];

  constructor(place: Place, changes: ChangeCounts) {
    this.#place = place;
    this.#changes = changes;
  }

  /** True in a cell of a table. */
  get isInCell(): boolean {
    return this.#isInCell;
  }

  addText(text: string): void {
    if (this.#tableDepth > 0) {
      const parts = this.#tableParts;
      const last = parts.at(-1);
      const line = text.replaceAll(/\s+/g, ' ');
      if (typeof last === 'string') parts[parts.length - 1] = last + line;
      else if (parts.length === 0 || line !== ' ') parts.push(line);
      return;
    }
    const [first = '', ...others] = (this.#title === '' ? text : text.replaceAll(/\s+/g, ' ')).split('\n');
    this.#line += first;
    for (const line of others) {
      this.#endLine();
      this.#line = this.#indent() + line.trimStart();
    }
  }

  addHidden(): void {
    if (this.#line.trim() === '' && this.#lines.length === 0) this.#blocks.push({ kind: 'gap' });
  }

  addCode(code: CodeLines): void {
    if (this.#tableDepth > 0) {
      const parts = this.#tableParts;
      if (parts.length < CELL_PARTS_MAX) parts.push(code);
      else this.addText(` ${code.lines.join(' ')} `);
      return;
    }
    this.#endText();
    this.#blocks.push({ kind: 'code', place: this.#takePlace(), ...code });
  }

  addTag(tag: Tag, source: string): void {
    if (tag.name === 'table' || this.#tableDepth > 0) this.#addTableTag(tag, source);
    else if (BLOCK_NAMES.has(tag.name)) this.#addLineTag(tag);
    else this.#line += tag.name === 'br' && this.#title !== '' ? ' ' : source;
  }

  finish(): Block[] {
    this.#endTable();
    this.#endText();
    // Tags alone leave nothing to show.
    return this.#blocks.length === 0 ? [{ kind: 'gap' }] : this.#blocks;
  }

  #addLineTag(tag: Tag): void {
    const { name, isEnd } = tag;
    const title = TITLES[name] ?? '';
    this.#changes.add(title === '**' ? 'heading' : 'html');
    this.#endLine();
    if (name === 'ul' || name === 'ol' || name === 'menu') {
      if (isEnd) this.#lists.pop();
      else if (this.#lists.length < LIST_DEPTH_MAX)
        this.#lists.push({ isNumbered: name === 'ol', next: readNumber(tag, 'start') ?? 1 });
    }
    if (isEnd) return;
    const list = this.#lists.at(-1);
    if (name === 'li' && list !== undefined) list.next = readNumber(tag, 'value') ?? list.next;
    if (name === 'hr') this.#lines.push('');
    this.#title = title;
    this.#line = name === 'li' ? this.#marker() : this.#indent();
  }

  /** The list that takes text and code in the open table. */
  get #tableParts(): CellParts {
    return (this.#isInCell ? this.#cell : null) ?? this.#stray;
  }

  #addTableTag(tag: Tag, source: string): void {
    const { name, isEnd } = tag;
    if (!this.#isInCell && this.#stray.length > 0 && BLOCK_NAMES.has(name)) this.addText(' ');
    if (name === 'table') this.#addTable(isEnd);
    else if (name === 'tr') {
      this.#endCell();
      if (!isEnd && this.#rows.at(-1)?.length !== 0) this.#rows.push([]);
    } else if (name !== 'td' && name !== 'th') this.addText(BLOCK_NAMES.has(name) ? ' ' : source);
    else if (isEnd) this.#isInCell = false;
    else this.#addCell(tag);
  }

  #addTable(isEnd: boolean): void {
    if (isEnd) {
      if (this.#tableDepth === 1) this.#endTable();
      else this.#tableDepth -= 1;
      // After a table in a cell the cell goes on.
      const last = this.#cell === null && this.#tableDepth > 0 ? this.#rows.at(-1)?.pop() : undefined;
      if (last !== undefined) this.#cell = typeof last === 'string' ? [last] : [...last];
      this.#isInCell = this.#cell !== null;
      if (this.#isInCell) this.addText(' ');
      return;
    }
    if (this.#tableDepth === 0) {
      this.#endText();
      this.#rows = [[]];
      this.#alignments = [];
      this.#hasHeader = false;
    }
    this.#tableDepth += 1;
  }

  #addCell(tag: Tag): void {
    // The last cell of a long row goes on.
    const isFull = this.#rows.at(-1)?.length === COLUMNS_MAX - 1 && this.#cell !== null;
    if (!isFull) this.#endCell();
    this.#isInCell = true;
    if (isFull) return;
    this.#cell = [];
    if (this.#rows.length > 1) return;
    if (tag.name === 'th') this.#hasHeader = true;
    this.#alignments.push(readAttribute(tag, 'align') === 'right' ? 'right' : 'left');
  }

  #endCell(): void {
    if (this.#cell !== null) this.#rows.at(-1)?.push(toCell(this.#cell));
    this.#cell = null;
    this.#isInCell = false;
  }

  #endTable(): void {
    this.#endCell();
    const rows = this.#rows;
    const stray = this.#stray;
    this.#tableDepth = 0;
    this.#rows = [];
    this.#stray = [];
    for (const part of stray) this.#addStray(part);
    if ((rows.at(-1) ?? []).length === 0) rows.pop();
    if (rows.length === 0) return;
    this.#changes.add('table');
    const header = this.#hasHeader ? (rows.shift() ?? []) : [];
    const alignments = this.#alignments;
    this.#blocks.push({ kind: 'table', place: this.#takePlace(), header, rows, alignments });
  }

  #addStray(part: string | CodeLines): void {
    if (typeof part !== 'string') {
      this.#blocks.push({ kind: 'code', place: this.#takePlace(), ...part });
    } else if (part.trim() !== '') {
      this.#blocks.push({
        kind: 'text',
        place: this.#takePlace(),
        text: part.trim(),
        heading: 0,
        isPrepared: false,
      });
    }
  }

  #marker(): string {
    const list = this.#lists.at(-1);
    if (list === undefined) return '- ';
    const number = list.next;
    list.next += 1;
    return '  '.repeat(this.#lists.length - 1) + (list.isNumbered ? `${number}. ` : '- ');
  }

  #indent(): string {
    return '  '.repeat(this.#lists.length);
  }

  #endLine(): void {
    const title = this.#title;
    const line = (title === '' ? this.#line : this.#line.replaceAll(/ {2,}/g, ' ')).trimEnd();
    const indent = this.#lists.length === 0 ? '' : (/^ */.exec(this.#line)?.[0] ?? '');
    this.#title = '';
    this.#line = '';
    if (line === '' || line === '-') return;
    this.#lines.push(indent + title + line.trimStart() + (title === '**' ? title : ''));
  }

  #endText(): void {
    this.#endLine();
    const text = this.#lines.join('\n').trim();
    this.#lines = [];
    if (text === '') return;
    this.#blocks.push({ kind: 'text', place: this.#takePlace(), text, heading: 0, isPrepared: true });
  }

  #takePlace(): Place {
    const place = this.#place;
    this.#place = { ...place, first: place.rest, beginsItem: false };
    return place;
  }
}

function toCell(parts: CellParts): Cell {
  const [first = ''] = parts;
  return parts.length < 2 && typeof first === 'string' ? first : parts;
}
