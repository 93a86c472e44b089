import type { CodePoints, Document } from './block.ts';
import type { ChangeCounts } from './change-counts.ts';
import { Containers } from './containers.ts';
import { DocumentBuilder } from './document-builder.ts';
import { readHtmlStart } from './html.ts';
import {
  CODE_INDENT,
  feedCode,
  feedHtml,
  htmlLeaf,
  type Leaf,
  openingOf,
  openingOfFence,
  takeLines,
  tableLeaf,
} from './leaf.ts';
import {
  countSpaces,
  expandTabs,
  isRule,
  readAlignments,
  readFence,
  readHeading,
  readItem,
  readNoteLabel,
  setextLevel,
  splitRow,
} from './line-kinds.ts';
import { takeDefinitions } from './link-target.ts';

/** Quotes and lists in one another. What is deeper is text: Discord shows one level of quotes, and few of lists. */
const DEPTH_MAX = 12;

/** Reads the blocks of a text line by line, without looking back. */
export class BlockReader {
  readonly #changes: ChangeCounts;
  readonly #document: DocumentBuilder;
  readonly #lastTableEnd: number;
  readonly #containers = new Containers();
  #leaf: Leaf | null = null;
  /** Where the line begins and ends, in the text, and how many of the open containers it goes on with. */
  #lineAt = 0;
  #lineEnd = 0;
  #matched = 0;

  /**
   * @param text the whole text, to know up to where an HTML table may go on over blank lines
   * @param goesOn the text is part of one that goes on: the blocks have points between them at which it can be cut,
   *   and footnotes are among them
   */
  constructor(text: string, changes: ChangeCounts, goesOn = false) {
    this.#changes = changes;
    this.#document = new DocumentBuilder(changes, goesOn);
    this.#lastTableEnd = text.includes('<') ? text.toLowerCase().lastIndexOf('</table') : -1;
  }

  /** The block that the next line may go on with. */
  get leaf(): Leaf | null {
    return this.#leaf;
  }

  /** Whether a text that begins with `opening` reads the next line as it is read here. */
  get canReopen(): boolean {
    return this.#containers.canReopen;
  }

  /**
   * Source that opens again what is open, and shows nothing of its own but a table's header.
   * @param isInLine what comes next is the rest of a line
   * @param lengthMax for the header of a table; a longer one is left out
   */
  opening(isInLine: boolean, lengthMax: number): string {
    const lines = this.#leaf === null ? [] : openingOf(this.#leaf, lengthMax);
    const indent = this.#leaf?.kind === 'indented' ? ' '.repeat(CODE_INDENT) : '';
    return this.#containers.openingWith(lines) + (isInLine ? this.#containers.linePrefix() + indent : '');
  }

  /**
   * @param line without its line break
   * @param at where it begins in the text
   */
  readLine(line: string, at: number): void {
    this.#lineAt = at;
    this.#lineEnd = at + line.length;
    this.#read(line);
  }

  /** The text is over: what is open ends here. */
  finish(): Document {
    this.#close(0);
    return this.stop();
  }

  /** The text goes on: what is open is no more than begun, and has no point after it. */
  stop(): Document {
    this.#flush();
    return this.#document.build();
  }

  #read(raw: string): void {
    const line = raw.includes('\t') ? expandTabs(raw) : raw;
    const { at, matched } = this.#containers.match(line);
    this.#matched = matched;
    if (matched === this.#containers.depth && this.#feed(line, at, raw)) return;
    const indent = countSpaces(line, at);
    if (at + indent >= line.length) {
      this.#readBlank(matched);
      return;
    }
    if (this.#leaf === null && this.canReopen) this.#addPoint();
    this.#open(line, at, matched);
  }

  /** Gives the line to code or HTML that is open; false when it is not theirs. */
  #feed(line: string, at: number, raw: string): boolean {
    const leaf = this.#leaf;
    if (leaf === null || leaf.kind === 'paragraph' || leaf.kind === 'table') return false;
    if (leaf.kind !== 'html') {
      const isOpen = feedCode(leaf, { line, at, raw, start: this.#lineAt });
      if (isOpen === null) this.#flush();
      return isOpen !== false;
    }
    const isOpen = feedHtml(leaf, line, at, this.#lineAt < this.#lastTableEnd);
    if (isOpen === null) this.#flush();
    // Where a table could go on, only later text says whether it does.
    if (isOpen === false && leaf.tables > 0) this.#document.stopPoints();
    return isOpen !== false;
  }

  #readBlank(matched: number): void {
    this.#flush();
    // A list goes on after a blank line; a quote needs its sign on each line.
    const quote = this.#containers.findQuote(matched);
    if (quote >= 0) this.#close(quote);
    this.#document.add({ kind: 'blank', isQuoted: this.#containers.isQuoted() });
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
      const next = this.#openContainer(rest, indent, level, isParagraph && level === this.#containers.depth);
      if (next < 0) break;
      at += indent + next;
      level = this.#containers.depth;
      isParagraph = false;
      // The content of an item is where its first line has it, unless that is code or nothing.
      if (line.charCodeAt(at) === 0x20 && this.#containers.isInQuote) at += 1;
      if (at + countSpaces(line, at) >= line.length) return;
    }
    this.#readLeaf(line, at, level);
  }

  /** @returns how much of the line the start of a quote, an item or a note takes; -1 for none */
  #openContainer(rest: string, indent: number, level: number, isInParagraph: boolean): number {
    const containers = this.#containers;
    if (rest.charCodeAt(0) === 0x3e) {
      this.#close(level);
      if (containers.isQuoted()) this.#changes.add('nested_quote');
      containers.openQuote();
      return 1;
    }
    const note = level === 0 ? readNoteLabel(rest) : null;
    if (note !== null) {
      this.#close(0);
      containers.openNote();
      this.#document.openNote(note.label);
      return note.width + countSpaces(rest, note.width);
    }
    const item = isRule(rest) ? null : readItem(rest);
    if (item === null) return -1;
    if (isInParagraph && (item.isEmpty || !item.isFirst)) return -1;
    this.#close(level);
    containers.openItem(item.marker, ' '.repeat(indent) + item.source);
    if (item.isChanged) this.#changes.add('list_marker');
    return item.isEmpty ? rest.length : item.source.length;
  }

  #readLeaf(line: string, at: number, level: number): void {
    const indent = countSpaces(line, at);
    const rest = line.slice(at + indent);
    const leaf = this.#leaf;
    const isSame = level === this.#containers.depth;
    if (indent >= CODE_INDENT && leaf?.kind !== 'paragraph' && !(isSame && leaf?.kind === 'table')) {
      this.#close(level);
      const lines = [line.slice(at + CODE_INDENT)];
      this.#leaf = {
        kind: 'indented',
        place: this.#containers.takePlace(),
        lines,
        blanks: 0,
        points: this.#codePoints([]),
      };
      this.#leaf.points?.starts.push(this.#lineAt);
      this.#changes.add('code_block');
      return;
    }
    if (indent < CODE_INDENT && this.#readStart(rest, indent, level)) return;
    if (leaf?.kind === 'paragraph') {
      if (rest.startsWith('[')) takeLines(leaf, this.#document.definitions);
      leaf.lines.push(rest);
      leaf.ends.push(this.#lineEnd);
    } else if (leaf?.kind === 'table' && isSame) leaf.rows.push(splitRow(rest));
    else {
      this.#close(level);
      const isAlert = this.#containers.isQuoteFresh;
      this.#leaf = {
        kind: 'paragraph',
        place: this.#containers.takePlace(),
        lines: [rest],
        ends: [this.#lineEnd],
        isAlert,
        isDefinition: false,
      };
    }
  }

  /** Reads a line that begins a heading, code, a rule, HTML or a table; false when it does not. */
  #readStart(rest: string, indent: number, level: number): boolean {
    const paragraph = this.#leaf?.kind === 'paragraph' ? this.#leaf : null;
    const isSame = level === this.#containers.depth;
    if (paragraph !== null && isSame && this.#readUnderline(rest, paragraph)) return true;
    const heading = readHeading(rest);
    if (heading !== null) {
      this.#close(level);
      if (heading.level > 3) this.#changes.add('heading');
      this.#document.addHeading(this.#containers.takePlace(), heading.text, heading.level);
      return true;
    }
    const fence = readFence(rest);
    if (fence !== null) {
      this.#close(level);
      if (fence.run !== '```') this.#changes.add('code_block');
      const place = this.#containers.takePlace();
      const points = this.#codePoints([openingOfFence(fence)]);
      this.#leaf = { kind: 'fence', place, lines: [], indent, ...fence, points };
      return true;
    }
    if (isRule(rest)) {
      this.#close(level);
      this.#changes.add('rule');
      this.#document.addRule(this.#containers.isQuoted());
      return true;
    }
    const html = readHtmlStart(rest, paragraph !== null);
    if (html === null) return false;
    this.#close(level);
    this.#leaf = htmlLeaf(this.#containers.takePlace(), rest, html);
    if (html.endsOn?.(rest) === true) this.#flush();
    return true;
  }

  /** The line under a heading or under the header of a table. */
  #readUnderline(rest: string, paragraph: Leaf & { kind: 'paragraph' }): boolean {
    const { lines, place: above } = paragraph;
    const last = lines.at(-1) ?? '';
    const alignments = readAlignments(last, rest);
    if (alignments !== null) {
      lines.pop();
      // The table takes the item's start where nothing is above it.
      const place = lines.length === 0 ? above : null;
      if (place === null) this.#flush();
      this.#leaf = tableLeaf(place ?? this.#containers.takePlace(), [last, rest], alignments);
      return true;
    }
    const level = setextLevel(rest);
    if (level === 0) return false;
    const source = lines.join('\n');
    const from = takeDefinitions(source, this.#document.definitions);
    if (from > 0 || paragraph.isDefinition) this.#changes.add('reference');
    paragraph.isDefinition = false;
    if (from >= source.length) {
      // No line of the paragraph is left: this one is its first.
      paragraph.lines.length = 0;
      paragraph.ends.length = 0;
      return false;
    }
    const text = source.slice(from).replaceAll('\n', ' ');
    this.#leaf = null;
    this.#document.addHeading(above, text, level);
    return true;
  }

  /** Closes the containers from a level on, and the block that is open in them. */
  #close(level: number): void {
    const wasOpen = this.#flush();
    const isNoteClosed = this.#containers.closeFrom(level);
    if (isNoteClosed) this.#document.closeNote();
    if (wasOpen || isNoteClosed) this.#addPoint();
  }

  /** @returns whether there was a block to end */
  #flush(): boolean {
    const leaf = this.#leaf;
    if (leaf === null) return false;
    this.#leaf = null;
    this.#document.addLeaf(leaf);
    return true;
  }

  /** A text that goes on can be cut before this line, between two blocks. */
  #addPoint(): void {
    if (!this.#document.hasPoints) return;
    const point = this.#document.pointAt(this.#lineAt, this.#containers.opening(this.#matched));
    this.#document.add({ kind: 'point', point });
  }

  /** A text that goes on can be cut between the lines of code. */
  #codePoints(opening: readonly string[]): CodePoints | null {
    if (!this.#document.hasPoints) return null;
    return { first: this.#document.pointAt(this.#lineAt, this.#containers.openingWith(opening)), starts: [] };
  }
}
