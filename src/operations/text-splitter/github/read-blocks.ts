import type { Block, Definition, Document, Place } from './block.ts';
import type { ChangeCounts } from './change-counts.ts';
import { readHtmlStart } from './html-start.ts';
import { blocksOf, type Container, type Leaf } from './leaf.ts';
import {
  closesFence,
  countSpaces,
  expandTabs,
  isRule,
  readFence,
  readHeading,
  readItem,
  readNoteLabel,
  setextLevel,
} from './line-kinds.ts';
import { takeDefinitions } from './read-definition.ts';
import { readAlignments, splitRow } from './table-rows.ts';

/** Quotes and lists in one another. What is deeper is text: Discord shows one level of quotes, and few of lists. */
const DEPTH_MAX = 12;
/** Of indented code, and of what goes on inside a footnote. */
const CODE_INDENT = 4;

/** Reads the blocks of a text line by line, without looking back. */
export class BlockReader {
  readonly #changes: ChangeCounts;
  readonly #blocks: Block[] = [];
  readonly #notes = new Map<string, Block[]>();
  readonly #definitions = new Map<string, Definition>();
  readonly #lastTableEnd: number;
  #sink = this.#blocks;
  #containers: Container[] = [];
  #leaf: Leaf | null = null;
  /** Markers of list items that have no content yet. */
  #marker: string | null = null;
  #isQuoteFresh = false;
  /** Where the line begins, in the text. */
  #offset = 0;

  /** @param text the whole text, to know up to where an HTML table may go on over blank lines */
  constructor(text: string, changes: ChangeCounts) {
    this.#changes = changes;
    this.#lastTableEnd = text.includes('<') ? text.toLowerCase().lastIndexOf('</table') : -1;
  }

  /** @param line without its line break */
  readLine(line: string): void {
    this.#read(line);
    this.#offset += line.length + 1;
  }

  finish(): Document {
    this.#flush();
    return { blocks: this.#blocks, notes: this.#notes, definitions: this.#definitions };
  }

  #read(raw: string): void {
    const line = raw.includes('\t') ? expandTabs(raw) : raw;
    const { at, matched } = this.#match(line);
    const isWhole = matched === this.#containers.length;
    if (isWhole && this.#feed(line, at, raw)) return;
    const indent = countSpaces(line, at);
    if (at + indent >= line.length) {
      this.#readBlank(matched);
      return;
    }
    this.#open(line, at, matched);
  }

  /** How many of the open containers the line goes on with, and where their content begins. */
  #match(line: string): { at: number; matched: number } {
    let at = 0;
    let matched = 0;
    for (const container of this.#containers) {
      const indent = countSpaces(line, at);
      if (container.kind === 'quote') {
        if (indent > 3 || line.charCodeAt(at + indent) !== 0x3e) break;
        at += indent + 1;
        if (line.charCodeAt(at) === 0x20) at += 1;
      } else if (at + indent >= line.length) {
        at = line.length;
      } else if (indent >= container.offset) {
        at += container.offset;
      } else break;
      matched += 1;
    }
    return { at, matched };
  }

  /** Gives the line to code or HTML that is open; false when it is not theirs. */
  #feed(line: string, at: number, raw: string): boolean {
    const leaf = this.#leaf;
    if (leaf === null || leaf.kind === 'paragraph' || leaf.kind === 'table') return false;
    const indent = countSpaces(line, at);
    const isBlank = at + indent >= line.length;
    if (leaf.kind === 'fence') {
      if (indent < CODE_INDENT && closesFence(line.slice(at + indent), leaf.run)) this.#flush();
      else if (at === 0 && leaf.indent === 0) leaf.lines.push(raw);
      else leaf.lines.push(line.slice(at + Math.min(indent, leaf.indent)));
      return true;
    }
    if (leaf.kind === 'indented') {
      if (isBlank) leaf.blanks += 1;
      else if (indent >= CODE_INDENT) {
        for (; leaf.blanks > 0; leaf.blanks -= 1) leaf.lines.push('');
        leaf.lines.push(line.slice(at + CODE_INDENT));
      } else return false;
      return true;
    }
    // A table goes on over blank lines: its cells are read as Markdown.
    const isInTable = leaf.tables > 0 && this.#offset < this.#lastTableEnd;
    if (isBlank && leaf.end === 'blank' && !isInTable) return false;
    leaf.lines.push(line.slice(at));
    leaf.tables += countTables(line);
    if (leaf.end !== 'blank' && leaf.end(line)) this.#flush();
    return true;
  }

  #readBlank(matched: number): void {
    this.#flush();
    // A list goes on after a blank line; a quote needs its sign on each line.
    const quote = this.#containers.findIndex((each, index) => index >= matched && each.kind === 'quote');
    if (quote >= 0) this.#close(quote);
    this.#sink.push({ kind: 'blank', isQuoted: this.#isQuoted() });
  }

  /** Reads a line that begins something, or goes on with a paragraph or a table. */
  #open(line: string, from: number, matched: number): void {
    let at = from;
    let level = matched;
    let isParagraph = this.#leaf?.kind === 'paragraph';
    for (;;) {
      const indent = countSpaces(line, at);
      if (indent >= CODE_INDENT || level >= DEPTH_MAX) break;
      const rest = line.slice(at + indent, at + indent + 400);
      const next = this.#openContainer(rest, indent, level, isParagraph && level === this.#containers.length);
      if (next < 0) break;
      at += indent + next;
      level = this.#containers.length;
      isParagraph = false;
      // The content of an item is where its first line has it, unless that is code or nothing.
      if (line.charCodeAt(at) === 0x20 && this.#containers.at(-1)?.kind === 'quote') at += 1;
      if (at + countSpaces(line, at) >= line.length) return;
    }
    this.#readLeaf(line, at, level);
  }

  /** @returns how much of the line the start of a quote, an item or a note takes; -1 for none */
  #openContainer(rest: string, indent: number, level: number, isInParagraph: boolean): number {
    if (rest.charCodeAt(0) === 0x3e) {
      this.#close(level);
      if (this.#isQuoted()) this.#changes.add('nested_quote');
      this.#containers.push({ kind: 'quote', offset: 0, indent: 0 });
      this.#isQuoteFresh = true;
      return 1;
    }
    const note = level === 0 ? readNoteLabel(rest) : null;
    if (note !== null) {
      this.#close(0);
      this.#containers.push({ kind: 'note', offset: CODE_INDENT, indent: 0 });
      this.#sink = [];
      if (!this.#notes.has(note.label)) this.#notes.set(note.label, this.#sink);
      return note.width + countSpaces(rest, note.width);
    }
    const item = isRule(rest) ? null : readItem(rest);
    if (item === null) return -1;
    const spaces = countSpaces(rest, item.width);
    const isEmpty = item.width + spaces >= rest.length;
    if (isInParagraph && (isEmpty || !item.isFirst)) return -1;
    this.#close(level);
    const gap = isEmpty || spaces > CODE_INDENT ? 1 : spaces;
    this.#marker = (this.#marker ?? ' '.repeat(this.#indent())) + item.marker;
    this.#containers.push({ kind: 'item', offset: indent + item.width + gap, indent: item.marker.length });
    if (item.isChanged) this.#changes.add('list_marker');
    return isEmpty ? rest.length : item.width + gap;
  }

  #readLeaf(line: string, at: number, level: number): void {
    const indent = countSpaces(line, at);
    const rest = line.slice(at + indent);
    const leaf = this.#leaf;
    const isSame = level === this.#containers.length;
    if (indent >= CODE_INDENT && leaf?.kind !== 'paragraph' && !(isSame && leaf?.kind === 'table')) {
      this.#close(level);
      this.#leaf = {
        kind: 'indented',
        place: this.#place(),
        lines: [line.slice(at + CODE_INDENT)],
        blanks: 0,
      };
      this.#changes.add('code_block');
      return;
    }
    if (indent < CODE_INDENT && this.#readStart(rest, indent, level)) return;
    if (leaf?.kind === 'paragraph') leaf.lines.push(rest);
    else if (leaf?.kind === 'table' && isSame) leaf.rows.push(splitRow(rest));
    else {
      this.#close(level);
      const isAlert = this.#isQuoteFresh && this.#containers.at(-1)?.kind === 'quote';
      this.#leaf = { kind: 'paragraph', place: this.#place(), lines: [rest], isAlert };
    }
  }

  /** Reads a line that begins a heading, code, a rule, HTML or a table; false when it does not. */
  #readStart(rest: string, indent: number, level: number): boolean {
    const paragraph = this.#leaf?.kind === 'paragraph' ? this.#leaf : null;
    const isSame = level === this.#containers.length;
    if (paragraph !== null && isSame && this.#readUnderline(rest, paragraph.lines)) return true;
    const heading = readHeading(rest);
    if (heading !== null) {
      this.#close(level);
      this.#addHeading(heading.level, heading.text);
      return true;
    }
    const fence = readFence(rest);
    if (fence !== null) {
      this.#close(level);
      if (fence.run !== '```') this.#changes.add('code_block');
      this.#leaf = { kind: 'fence', place: this.#place(), lines: [], indent, ...fence };
      return true;
    }
    if (isRule(rest)) {
      this.#close(level);
      this.#changes.add('rule');
      this.#sink.push({ kind: 'gap' }, { kind: 'blank', isQuoted: this.#isQuoted() }, { kind: 'gap' });
      return true;
    }
    const html = readHtmlStart(rest, paragraph !== null);
    if (html === null) return false;
    this.#close(level);
    this.#leaf = { kind: 'html', place: this.#place(), lines: [rest], end: html, tables: countTables(rest) };
    if (html !== 'blank' && html(rest)) this.#flush();
    return true;
  }

  /** The line under a heading or under the header of a table. */
  #readUnderline(rest: string, lines: string[]): boolean {
    const last = lines.at(-1) ?? '';
    const alignments = readAlignments(last, rest);
    if (alignments !== null) {
      lines.pop();
      const place = this.#flushParagraphBefore();
      this.#leaf = { kind: 'table', place, header: splitRow(last), alignments, rows: [] };
      return true;
    }
    const level = setextLevel(rest);
    if (level === 0) return false;
    const text = lines.join(' ');
    const definitionsEnd = takeDefinitions(text, this.#definitions);
    if (definitionsEnd > 0) return false;
    const { place } = this.#leaf ?? { place: this.#place() };
    this.#leaf = null;
    this.#sink.push({ kind: 'text', place, text, heading: level, isPrepared: false });
    return true;
  }

  /** Ends the paragraph above a table. @returns the place of the table: the item's start when there is nothing above */
  #flushParagraphBefore(): Place {
    const leaf = this.#leaf;
    if (leaf?.kind === 'paragraph' && leaf.lines.length === 0) {
      this.#leaf = null;
      return leaf.place;
    }
    this.#flush();
    return this.#place();
  }

  #addHeading(level: number, text: string): void {
    if (level > 3) this.#changes.add('heading');
    this.#sink.push({ kind: 'text', place: this.#place(), text, heading: level, isPrepared: false });
  }

  #isQuoted(): boolean {
    return this.#containers.some((each) => each.kind === 'quote');
  }

  #indent(): number {
    return this.#containers.reduce((sum, each) => sum + each.indent, 0);
  }

  /** Where the next block goes. It takes the marker of the item that it begins. */
  #place(): Place {
    const rest = ' '.repeat(this.#indent());
    const first = this.#marker;
    this.#marker = null;
    this.#isQuoteFresh = false;
    return { isQuoted: this.#isQuoted(), first: first ?? rest, rest, beginsItem: first !== null };
  }

  /** Closes the containers from a level on, and the block that is open in them. */
  #close(level: number): void {
    this.#flush();
    if (level >= this.#containers.length) return;
    this.#marker = null;
    if (this.#containers.slice(level).some((each) => each.kind === 'note')) this.#sink = this.#blocks;
    this.#containers.length = level;
  }

  #flush(): void {
    const leaf = this.#leaf;
    if (leaf === null) return;
    this.#leaf = null;
    for (const block of blocksOf(leaf, this.#definitions, this.#changes)) this.#sink.push(block);
  }
}

/** How many HTML tables begin on a line, less those that end. */
function countTables(line: string): number {
  let count = 0;
  if (line.includes('<')) {
    for (const [tag] of line.matchAll(/<\/?table\b/gi)) count += tag.startsWith('</') ? -1 : 1;
  }
  return count;
}
