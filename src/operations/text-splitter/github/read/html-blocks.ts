import { Turn } from '../turn.ts';
import type { Alignment, Block, Place } from './block.ts';
import type { ChangeCounts } from './change-counts.ts';
import { decodeEntities } from './entities.ts';
import { BLOCK_NAMES, RAW_NAMES, readAttribute, readHidden, readTag, type Tag } from './html.ts';
import { COLUMNS_MAX } from './line-kinds.ts';
import { INLINE_LENGTH_MAX } from './read-inline.ts';

/** These are one line, however many they have in the source, and begin with this mark. */
const TITLES: Readonly<Record<string, string>> = {
  h1: '# ',
  h2: '## ',
  h3: '### ',
  h4: '**',
  h5: '**',
  h6: '**',
  summary: '**',
};
const LIST_DEPTH_MAX = 8;

/** Turns a block of HTML into texts, code and tables. Tags inside a line are left to read-inline. */
export function* readHtmlBlocks(
  { html, place }: Block & { kind: 'html' },
  changes: ChangeCounts,
): Generator<void, Block[]> {
  const writer = new HtmlWriter(place, changes);
  const turn = new Turn();
  for (let at = 0; at < html.length;) {
    const found = html.indexOf('<', at);
    const end = Math.min(found < 0 ? html.length : found, at + INLINE_LENGTH_MAX);
    writer.addText(html.slice(at, end));
    const next = html.charAt(end) === '<' ? readMarkup(html, end, writer, changes) : end;
    if (turn.isOver(next - at)) yield;
    at = next;
  }
  return writer.finish();
}

/** @returns the place where the text goes on after the markup at `at` */
function readMarkup(html: string, at: number, writer: HtmlWriter, changes: ChangeCounts): number {
  const hidden = readHidden(html, at);
  if (hidden !== null) {
    changes.add(hidden.end === '-->' ? 'comment' : 'html');
    writer.addHidden();
    // `<!-->` is a comment, too.
    const found = html.indexOf(hidden.end, at + 2);
    return found < 0 ? html.length : found + hidden.end.length;
  }
  const tag = readTag(html, at);
  if (tag === null) {
    writer.addText('<');
    return at + 1;
  }
  if (!tag.isEnd && RAW_NAMES.has(tag.name)) {
    changes.add('html');
    const close = html.slice(tag.end).search(new RegExp(`</${tag.name}\\s{0,9}>`, 'i'));
    const bodyEnd = close < 0 ? html.length : tag.end + close;
    if (tag.name === 'pre' || tag.name === 'textarea') writer.addCode(html.slice(tag.end, bodyEnd));
    const after = html.indexOf('>', bodyEnd);
    return after < 0 ? html.length : after + 1;
  }
  writer.addTag(tag, html.slice(at, tag.end));
  return tag.end;
}

class HtmlWriter {
  readonly #changes: ChangeCounts;
  readonly #blocks: Block[] = [];
  readonly #lists: { readonly isNumbered: boolean; count: number }[] = [];
  #place: Place;
  #lines: string[] = [];
  #line = '';
  /** The mark of the open title. */
  #title = '';
  /** Rows of the open table. */
  #rows: string[][] = [];
  #alignments: Alignment[] = [];
  #hasHeader = false;
  #tableDepth = 0;

  constructor(place: Place, changes: ChangeCounts) {
    this.#place = place;
    this.#changes = changes;
  }

  addText(text: string): void {
    if (this.#tableDepth > 0) {
      const row = this.#rows.at(-1) ?? [];
      if (row.length > 0) row[row.length - 1] += text.replaceAll(/\s+/g, ' ');
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

  addCode(source: string): void {
    this.#endText();
    const text = decodeEntities(source.replaceAll(/<\/?[a-z][^<>]*>/gi, ''));
    const lines = text.replace(/^\n/, '').trimEnd().split('\n');
    this.#blocks.push({ kind: 'code', place: this.#takePlace(), lines, language: '', points: null });
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

  #addLineTag({ name, isEnd }: Tag): void {
    const title = TITLES[name] ?? '';
    this.#changes.add(title === '**' ? 'heading' : 'html');
    this.#endLine();
    if (name === 'ul' || name === 'ol' || name === 'menu') {
      if (isEnd) this.#lists.pop();
      else if (this.#lists.length < LIST_DEPTH_MAX) this.#lists.push({ isNumbered: name === 'ol', count: 0 });
    }
    if (isEnd) return;
    if (name === 'hr') this.#lines.push('');
    this.#title = title;
    this.#line = name === 'li' ? this.#marker() : this.#indent();
  }

  #addTableTag(tag: Tag, source: string): void {
    const { name, isEnd } = tag;
    if (name === 'table' && isEnd) {
      if (this.#tableDepth === 1) this.#endTable();
      else if (this.#tableDepth > 1) this.#tableDepth -= 1;
    } else if (name === 'table') {
      if (this.#tableDepth === 0) {
        this.#endText();
        this.#rows = [[]];
        this.#alignments = [];
        this.#hasHeader = false;
      }
      this.#tableDepth += 1;
    } else if (name === 'tr' && !isEnd) {
      if (this.#rows.at(-1)?.length !== 0) this.#rows.push([]);
    } else if ((name === 'td' || name === 'th') && !isEnd && this.#rows.at(-1)?.length !== COLUMNS_MAX) {
      this.#rows.at(-1)?.push('');
      if (this.#rows.length > 1) return;
      if (name === 'th') this.#hasHeader = true;
      this.#alignments.push(readAttribute(tag, 'align') === 'right' ? 'right' : 'left');
    } else this.addText(BLOCK_NAMES.has(name) ? ' ' : source);
  }

  #endTable(): void {
    const rows = this.#rows;
    this.#tableDepth = 0;
    this.#rows = [];
    if ((rows.at(-1) ?? []).length === 0) rows.pop();
    if (rows.length === 0) return;
    this.#changes.add('table');
    const header = this.#hasHeader ? (rows.shift() ?? []) : [];
    const alignments = this.#alignments;
    this.#blocks.push({ kind: 'table', place: this.#takePlace(), header, rows, alignments });
  }

  #marker(): string {
    const list = this.#lists.at(-1);
    if (list === undefined) return '- ';
    list.count += 1;
    return '  '.repeat(this.#lists.length - 1) + (list.isNumbered ? `${list.count}. ` : '- ');
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
