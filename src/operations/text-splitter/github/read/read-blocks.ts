import type { CodePoints, Document } from './block.ts';
import type { ChangeCounts } from './change-counts.ts';
import { Containers, type Order } from './containers.ts';
import { DocumentBuilder } from './document-builder.ts';
import { readHtmlStart } from './html.ts';
import {
  blocksOf,
  CODE_INDENT,
  codeLeaf,
  feedCode,
  feedHtml,
  htmlLeaf,
  type Leaf,
  openingOf,
  openingOfCode,
  type Paragraph,
  paragraphBlocks,
  tableLeaf,
  takeText,
} from './leaf.ts';
import {
  countSpaces,
  expandTabs,
  type FenceStart,
  isRule,
  type ItemStart,
  readAlignments,
  readFence,
  readHeading,
  readItem,
  readNoteLabel,
  setextLevel,
  splitRow,
} from './line-kinds.ts';

/** Levels of nested quotes and lists. Anything deeper is text: Discord shows one level of quotes, and few of lists. */
const DEPTH_MAX = 12;
/** After this many lines without an end it is not a definition, or is read with the rest of the paragraph. */
const DEFINITION_LINES_MAX = 32;
/** This much of a line shows what it begins. */
const LINE_START_UNITS = 400;

/** Reads the blocks of a text line by line, without looking back. */
export class BlockReader {
  readonly #changes: ChangeCounts;
  readonly #document: DocumentBuilder;
  readonly #lastTableEnd: number;
  readonly #containers = new Containers();
  #leaf: Leaf | null = null;
  /** The start and end of the line in the text, and the number of open containers that it continues. */
  #lineAt = 0;
  #lineEnd = 0;
  #matched = 0;
  /** Source that carries on the numbers of a list, if the line is an item with another number than it shows. */
  #carried = '';

  /**
   * @param text the whole text, to know up to where an HTML table may go on over blank lines
   * @param goesOn the text is part of one that goes on: the blocks have points between them at which it can be cut, and
   * footnotes are among them
   */
  constructor(text: string, changes: ChangeCounts, goesOn = false) {
    this.#changes = changes;
    this.#document = new DocumentBuilder(goesOn);
    // In a text that goes on, the end may be still to come.
    this.#lastTableEnd = goesOn
      ? Infinity
      : text.includes('<')
        ? text.toLowerCase().lastIndexOf('</table')
        : -1;
  }

  /** The block that the next line may continue. */
  get leaf(): Leaf | null {
    return this.#leaf;
  }

  /** The number of quotes, items and footnotes that are open. */
  get depth(): number {
    return this.#containers.depth;
  }

  /** True when a text that begins with `opening` reads the next line as it is read here. */
  get canReopen(): boolean {
    return this.#containers.canReopen;
  }

  /**
   * Source that opens all open blocks again. It shows nothing but a table's header.
   * @param isInLine the next text is the rest of a line
   * @param lengthMax for the header of a table; a longer one is left out
   */
  *opening(isInLine: boolean, lengthMax: number): Generator<void, string> {
    const lines = this.#leaf === null ? [] : yield* openingOf(this.#leaf, lengthMax);
    const isIndented = this.#leaf?.kind === 'code' && this.#leaf.fence === null;
    const indent = isIndented ? ' '.repeat(CODE_INDENT) : '';
    return this.#containers.openingWith(lines) + (isInLine ? this.#containers.linePrefix() + indent : '');
  }

  /**
   * @param raw without its line break
   * @param start of the line in the text
   */
  readLine(raw: string, start: number): void {
    this.#lineAt = start;
    this.#lineEnd = start + raw.length;
    const line = raw.includes('\t') ? expandTabs(raw) : raw;
    const { at, matched } = this.#containers.match(line);
    this.#matched = matched;
    this.#carried = this.#carriedNumber(line, at);
    if (matched === this.#containers.depth && this.#feed(line, at, raw)) return;
    if (at + countSpaces(line, at) >= line.length) {
      this.#readBlank(matched);
      return;
    }
    if (this.#leaf === null && this.canReopen) this.#addPoint();
    this.#open(line, at, matched);
  }

  /** Call it at the end of the text: every open block ends here. */
  finish(): Document {
    this.#close(0);
    return this.stop();
  }

  /** Call it when the text goes on: the open block has only begun, and no point is after it. */
  stop(): Document {
    this.#flush();
    return this.#document.build();
  }

  /** Gives the line to open code or HTML; false when it does not belong to them. */
  #feed(line: string, at: number, raw: string): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind !== 'code' && leaf?.kind !== 'html') return false;
    const source = { line, at, raw, start: this.#lineAt, end: this.#lineEnd };
    const isOpen =
      leaf.kind === 'code'
        ? feedCode(leaf, source)
        : feedHtml(leaf, source, this.#lineAt < this.#lastTableEnd);
    if (isOpen === null) this.#flush();
    return isOpen !== false;
  }

  #readBlank(matched: number): void {
    this.#flush();
    // A list goes on after a blank line; a quote needs its sign on each line.
    const quote = this.#containers.findQuote(matched);
    if (quote >= 0) this.#close(quote);
    this.#document.add({ kind: 'blank', isQuoted: this.#containers.isQuoted() });
  }

  /** Reads a line that begins something, or continues a paragraph or a table. */
  #open(line: string, from: number, matched: number): void {
    let at = from;
    let level = matched;
    let isParagraph = this.#leaf?.kind === 'paragraph';
    for (;;) {
      const indent = countSpaces(line, at);
      if (indent >= CODE_INDENT || level >= DEPTH_MAX) break;
      const rest = line.slice(at + indent, at + indent + LINE_START_UNITS);
      const next = this.#openContainer(rest, indent, level, isParagraph && level === this.#containers.depth);
      if (next < 0) break;
      at += indent + next;
      level = this.#containers.depth;
      isParagraph = false;
      // The content of an item begins as far in as on its first line, unless that is code or nothing.
      if (line.charCodeAt(at) === 0x20 && this.#containers.isInQuote) at += 1;
      if (at + countSpaces(line, at) >= line.length) return;
    }
    this.#readLeaf(line, at, level);
  }

  /** @returns the length of the signs that begin a quote, an item or a note; -1 if there are none */
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
    if (isInParagraph && (item.isEmpty || (item.order?.typed ?? 1) !== 1)) return -1;
    const order = orderAfter(containers.orderAt(level), item);
    this.#close(level);
    // Discord knows no other bullets, and counts from the number of the first item.
    const marker = order === null ? (item.bullet === '*' ? '*' : '-') : `${order.number}.`;
    containers.openItem(`${marker} `, ' '.repeat(indent) + item.source, order);
    if (marker !== item.written) this.#changes.add('list_marker');
    return item.isEmpty ? rest.length : item.source.length;
  }

  #readLeaf(line: string, at: number, level: number): void {
    const indent = countSpaces(line, at);
    const rest = line.slice(at + indent);
    const leaf = this.#leaf;
    const isSame = level === this.#containers.depth;
    if (indent >= CODE_INDENT && leaf?.kind !== 'paragraph' && !(isSame && leaf?.kind === 'table')) {
      this.#close(level);
      const code = codeLeaf(this.#containers.takePlace(), null, this.#codePoints(null));
      feedCode(code, { line, at, raw: line, start: this.#lineAt, end: this.#lineEnd });
      this.#leaf = code;
      this.#changes.add('code_block');
      return;
    }
    if (indent < CODE_INDENT && this.#readStart(rest, indent, level)) return;
    if (leaf?.kind === 'paragraph') {
      if (rest.startsWith('[') && leaf.lines.length <= DEFINITION_LINES_MAX) {
        const isFirst = takeText(leaf, this.#document.definitions) === '';
        if (isFirst && this.#canBegin(leaf, rest, indent)) this.#addPoint();
      }
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

  /** True when a line after definitions is read alone as it is in their paragraph. */
  #canBegin({ place, isAlert }: Paragraph, rest: string, indent: number): boolean {
    const isLazy = this.#matched < this.#containers.depth;
    return indent < CODE_INDENT && !isLazy && !place.beginsItem && !(isAlert && rest.startsWith('[!'));
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
      const place = this.#containers.takePlace();
      this.#document.add({
        kind: 'text',
        place,
        text: heading.text,
        heading: heading.level,
        isPrepared: false,
      });
      return true;
    }
    const fence = readFence(rest);
    if (fence !== null) {
      this.#close(level);
      if (fence.run !== '```') this.#changes.add('code_block');
      const place = this.#containers.takePlace();
      this.#leaf = codeLeaf(place, { ...fence, indent }, this.#codePoints(fence));
      return true;
    }
    if (isRule(rest)) {
      this.#close(level);
      this.#changes.add('rule');
      const isQuoted = this.#containers.isQuoted();
      this.#document.add({ kind: 'gap' }, { kind: 'blank', isQuoted }, { kind: 'gap' });
      return true;
    }
    const html = readHtmlStart(rest, paragraph !== null);
    if (html === null) return false;
    this.#close(level);
    this.#leaf = htmlLeaf(this.#containers.takePlace(), rest, html, this.#lineEnd);
    if (html.endsOn?.(rest) === true) this.#flush();
    return true;
  }

  /** The line under a heading or under the header of a table. */
  #readUnderline(rest: string, paragraph: Paragraph): boolean {
    const { lines, place: above } = paragraph;
    const last = lines.at(-1) ?? '';
    const alignments = readAlignments(last, rest);
    if (alignments !== null) {
      lines.pop();
      this.#changes.add('table');
      // The table takes the item's start if nothing is above it.
      const place = lines.length === 0 ? above : null;
      if (place === null) this.#flush();
      this.#leaf = tableLeaf(place ?? this.#containers.takePlace(), [last, rest], alignments);
      return true;
    }
    const level = setextLevel(rest);
    const { definitions } = this.#document;
    if (level === 0 || takeText(paragraph, definitions) === '') return false;
    this.#leaf = null;
    this.#document.add(...paragraphBlocks(paragraph, level, definitions, this.#changes));
    return true;
  }

  /** Closes the containers from a level on, and the block that is open in them. */
  #close(level: number): void {
    const wasOpen = this.#flush();
    const isNoteClosed = this.#containers.closeFrom(level);
    if (isNoteClosed) this.#document.closeNote();
    if (wasOpen || isNoteClosed) this.#addPoint();
  }

  /** @returns true when a block was open */
  #flush(): boolean {
    const leaf = this.#leaf;
    if (leaf === null) return false;
    this.#leaf = null;
    this.#document.add(...blocksOf(leaf, this.#document.definitions, this.#changes));
    // Blank lines after indented code are not part of it.
    const blanks = leaf.kind === 'code' ? leaf.blanks : 0;
    const isQuoted = this.#containers.isQuoted();
    for (let count = 0; count < blanks; count += 1) this.#document.add({ kind: 'blank', isQuoted });
    return true;
  }

  #carriedNumber(line: string, at: number): string {
    const before = this.#document.hasPoints ? this.#containers.orderAt(this.#matched) : null;
    const indent = countSpaces(line, at);
    if (before === null || indent >= CODE_INDENT) return '';
    const item = readItem(line.slice(at + indent, at + indent + LINE_START_UNITS));
    const order = item === null ? null : orderAfter(before, item);
    const isCarried = order !== null && order.number !== order.typed;
    return isCarried ? this.#containers.openingOfItem(this.#matched, before) : '';
  }

  /** A text that goes on can be cut before this line, between two blocks. */
  #addPoint(): void {
    if (!this.#document.hasPoints) return;
    const opening = this.#containers.opening(this.#matched) + this.#carried;
    const point = this.#document.pointAt(this.#lineAt, opening);
    this.#document.add({ kind: 'point', point });
  }

  /** A text that goes on can be cut between the lines of code. */
  #codePoints(fence: FenceStart | null): CodePoints | null {
    if (!this.#document.hasPoints) return null;
    const opening = this.#containers.openingWith(openingOfCode(fence));
    return { first: this.#document.pointAt(this.#lineAt, opening), starts: [] };
  }
}

/** The place of an item in its list, after another one of the same list, if there is one. */
function orderAfter(before: Order | null, { order }: ItemStart): Order | null {
  if (order === null) return null;
  return { ...order, number: before?.sign === order.sign ? before.number + 1 : order.typed };
}
