import type { Alignment, Block, Nesting } from './block.ts';
import type { ChangeCounts } from '../change-counts.ts';
import { type HtmlPart, readHtmlParts } from './html-parts.ts';
import { BLOCK_NAMES, LIST_DEPTH_MAX, readAttribute, readNumber, type Tag } from './html.ts';
import { COLUMNS_MAX } from './line-kinds.ts';

/** Each of these becomes one line that begins with this mark, even if it has several lines in the source. */
const TITLES: Readonly<Record<string, string>> = {
  h1: '# ',
  h2: '## ',
  h3: '### ',
  h4: '**',
  h5: '**',
  h6: '**',
  summary: '**',
};
const LISTS = new Set(['ul', 'ol', 'menu']);
/** A table with these parts is still plain, because a paragraph around the text of a cell does not change the text. */
const PLAIN_PARTS = new Set(
  'caption thead tbody tfoot colgroup col tr td th p div center h1 h2 h3 h4 h5 h6'.split(' '),
);

/** Turns a block of HTML into texts, code and tables. read-inline reads tags inside a line. */
export function readHtmlBlocks({ html, nesting }: Block & { kind: 'html' }, changes: ChangeCounts): Block[] {
  const parts = readHtmlParts(html);
  const ends = findPlainTables(parts);
  const writer = new HtmlWriter(nesting, changes);
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    const end = ends.get(at);
    if (end !== undefined) {
      writer.addTable(parts.slice(at + 1, end));
      at = end;
    } else if (part !== undefined) writer.add(part);
  }
  return writer.finish();
}

/** The starts and ends of tables whose cells hold only text. */
function findPlainTables(parts: readonly HtmlPart[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let [depth, start, isPlain] = [0, 0, true];
  for (const [at, part] of parts.entries()) {
    const name = part.kind === 'tag' ? part.tag.name : null;
    if (part.kind === 'tag' && name === 'table' && !part.tag.isEnd) {
      if (depth === 0) [start, isPlain] = [at, true];
      else isPlain = false;
      depth += 1;
    } else if (name === 'table' && depth > 0) {
      depth -= 1;
      if (depth === 0 && isPlain) ends.set(start, at);
    } else if (part.kind === 'code' || (name !== null && BLOCK_NAMES.has(name) && !PLAIN_PARTS.has(name))) {
      isPlain = false;
    }
  }
  if (depth > 0 && isPlain) ends.set(start, parts.length);
  return ends;
}

class HtmlWriter {
  readonly #changes: ChangeCounts;
  readonly #blocks: Block[] = [];
  readonly #lists: { readonly isNumbered: boolean; next: number }[] = [];
  /** Outside of quotes of HTML. */
  readonly #outside: Nesting;
  #nesting: Nesting;
  #lines: string[] = [];
  #line = '';
  /** The mark of the open title. */
  #title = '';
  /** The number of open tables that have more than text in their cells. */
  #tables = 0;
  #quotes = 0;

  constructor(nesting: Nesting, changes: ChangeCounts) {
    this.#nesting = nesting;
    this.#outside = nesting;
    this.#changes = changes;
  }

  add(part: HtmlPart): void {
    if (part.kind === 'text') this.#addText(part.source);
    else if (part.kind === 'tag') this.#addTag(part.tag, part.source);
    else if (part.kind === 'code') this.#addCode(part.body, part.language);
    else {
      this.#changes.add(part.isComment ? 'comment' : 'html');
      if (this.#line.trim() === '' && this.#lines.length === 0) this.#blocks.push({ kind: 'gap' });
    }
  }

  /** Adds a table as if it had been written with pipes. Content outside of cells comes before it, as in a browser. */
  addTable(parts: readonly HtmlPart[]): void {
    const rows: string[][] = [];
    const alignments: Alignment[] = [];
    let [stray, hasHeader, isInCell] = ['', false, false];
    for (const part of parts) {
      const tag = part.kind === 'tag' ? part.tag : null;
      const row = rows.at(-1);
      if (!isInCell && tag !== null && BLOCK_NAMES.has(tag.name)) stray += ' ';
      if (tag?.name === 'tr') {
        isInCell = false;
        if (!tag.isEnd) rows.push([]);
      } else if (tag?.name === 'td' || tag?.name === 'th') {
        isInCell = !tag.isEnd;
        if (tag.isEnd) continue;
        if (row === undefined) rows.push([]);
        // The last cell of a long row continues.
        if ((row?.length ?? 0) < COLUMNS_MAX) rows.at(-1)?.push('');
        if (rows.length > 1) continue;
        hasHeader ||= tag.name === 'th';
        alignments.push(readAttribute(tag, 'align') === 'right' ? 'right' : 'left');
      } else if (part.kind === 'hidden') this.#changes.add(part.isComment ? 'comment' : 'html');
      else if (part.kind === 'text' || part.kind === 'tag') {
        const text = tag !== null && BLOCK_NAMES.has(tag.name) ? ' ' : part.source.replaceAll(/\s+/g, ' ');
        if (isInCell && row !== undefined) row[row.length - 1] = (row.at(-1) ?? '') + text;
        else stray += text;
      }
    }
    this.#endText();
    stray = stray.replaceAll(/\s+/g, ' ');
    if (stray.trim() !== '')
      this.#addBlock({ kind: 'text', text: stray.trim(), heading: 0, isDiscordMarkup: false });
    const filled = rows.filter((row) => row.length > 0);
    if (filled.length === 0) return;
    this.#changes.add('table');
    const header = hasHeader ? (filled.shift() ?? []) : [];
    this.#addBlock({ kind: 'table', header, rows: filled, alignments });
  }

  finish(): Block[] {
    this.#endText();
    // HTML of only tags shows no text.
    return this.#blocks.length === 0 ? [{ kind: 'gap' }] : this.#blocks;
  }

  #addText(text: string): void {
    const isLine = this.#title !== '' || (this.#tables > 0 && text.trim() === '');
    const [first = '', ...others] = (isLine ? text.replaceAll(/\s+/g, ' ') : text).split('\n');
    this.#line += first;
    for (const line of others) {
      this.#endLine();
      this.#line = this.#indent() + line.trimStart();
    }
  }

  #addCode(body: string, language: string): void {
    this.#changes.add('html');
    this.#endText();
    this.#addBlock({ kind: 'code', lines: body.trimEnd().split('\n'), language });
  }

  #addTag(tag: Tag, source: string): void {
    const { name, isEnd } = tag;
    if (!BLOCK_NAMES.has(name) || name === 'iframe') {
      this.#line += name === 'br' && this.#title !== '' ? ' ' : source;
      return;
    }
    if (this.#tables > 0 && (name === 'td' || name === 'th')) {
      if (!isEnd && this.#line.trim() !== '') this.#line = `${this.#line.trimEnd()}  `;
      return;
    }
    const title = TITLES[name] ?? '';
    this.#changes.add(title === '**' ? 'heading' : 'html');
    if (name === 'table') this.#tables = Math.max(0, this.#tables + (isEnd ? -1 : 1));
    if (name === 'blockquote') this.#addQuote(isEnd);
    this.#endLine();
    if (LISTS.has(name)) {
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

  #addQuote(isEnd: boolean): void {
    this.#endText();
    this.#quotes = Math.max(0, this.#quotes + (isEnd ? -1 : 1));
    const { isQuoted, rest: indent } = this.#outside;
    // As with Markdown, a quote in a list is not indented, because Discord would show the spaces.
    const rest = this.#quotes > 0 && !isQuoted ? '' : indent;
    const { first, beginsItem } = this.#nesting;
    this.#nesting = {
      isQuoted: isQuoted || this.#quotes > 0,
      first: beginsItem ? first : rest,
      rest,
      beginsItem,
    };
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
    if (text !== '') this.#addBlock({ kind: 'text', text, heading: 0, isDiscordMarkup: true });
  }

  /** The first block takes the marker of the list item that begins with the HTML. */
  #addBlock(block: WithoutNesting): void {
    this.#blocks.push({ ...block, nesting: this.#nesting });
    this.#nesting = { ...this.#nesting, first: this.#nesting.rest, beginsItem: false };
  }
}

type WithoutNesting<Part = Extract<Block, { nesting: Nesting }>> = Part extends Block
  ? Omit<Part, 'nesting'>
  : never;
