import type { Block, Document, Footnote } from './block.ts';
import type { ChangeCounts } from '../change-counts.ts';
import { Containers, type Order } from './containers.ts';
import { readHtmlStart } from './html.ts';
import {
  blocksOf,
  CODE_INDENT,
  codeLeaf,
  feedCode,
  feedHtml,
  htmlLeaf,
  type Leaf,
  type Paragraph,
  paragraphBlocks,
  tableLeaf,
  takeText,
} from './leaf.ts';
import {
  countSpaces,
  expandTabs,
  isRule,
  type ItemStart,
  readAlignments,
  readFence,
  readHeading,
  readItem,
  readFootnoteLabel,
  setextLevel,
  splitRow,
} from './line-kinds.ts';

/**
 * Levels of nested quotes and lists. Deeper ones are text, because Discord shows one level of quotes and few levels of
 * lists.
 */
const DEPTH_MAX = 12;
/** After this many lines without an end, a definition is read with the rest of the paragraph. */
const DEFINITION_LINES_MAX = 32;
/** Length of the start of a line that shows its kind. */
const LINE_START_LENGTH = 400;

/** Reads the blocks of a text line by line, without looking back. */
export class BlockReader {
  readonly #changes: ChangeCounts;
  readonly #blocks: Block[] = [];
  readonly #footnotes = new Map<string, Footnote>();
  readonly #definitions = new Map<string, string>();
  /** Collects the next blocks: those of the text, or of the open footnote. */
  #sink = this.#blocks;
  /** Up to this line a table of HTML may continue over blank lines. */
  readonly #lastTableEnd: number;
  readonly #containers = new Containers();
  #leaf: Leaf | null = null;
  #line = 0;

  /** @param lines the whole text, to know up to where an HTML table may continue over blank lines */
  constructor(lines: readonly string[], changes: ChangeCounts) {
    this.#changes = changes;
    this.#lastTableEnd = lines.findLastIndex((line) => /<\/table/i.test(line));
  }

  /** @param raw without its line break */
  readLine(raw: string): void {
    this.#line += 1;
    const line = raw.includes('\t') ? expandTabs(raw) : raw;
    const { at, matched } = this.#containers.match(line);
    if (matched === this.#containers.depth && this.#feed(line, at, raw)) return;
    if (at + countSpaces(line, at) >= line.length) {
      this.#readBlank(matched);
      return;
    }
    this.#open(line, at, matched);
  }

  /** Call it at the end of the text. It closes every open block. */
  finish(): Document {
    this.#close(0);
    return { blocks: this.#blocks, footnotes: this.#footnotes, definitions: this.#definitions };
  }

  /** Adds the line to open code or HTML. Returns false when it does not belong to them. */
  #feed(line: string, at: number, raw: string): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind !== 'code' && leaf?.kind !== 'html') return false;
    const source = { line, at, raw };
    const isOpen =
      leaf.kind === 'code'
        ? feedCode(leaf, source)
        : feedHtml(leaf, source, this.#line <= this.#lastTableEnd);
    if (isOpen === null) this.#flush();
    return isOpen !== false;
  }

  #readBlank(matched: number): void {
    this.#flush();
    // A list continues after a blank line, but a quote needs its mark on each line.
    const quote = this.#containers.findQuote(matched);
    if (quote >= 0) this.#close(quote);
    this.#sink.push({ kind: 'blank', isQuoted: this.#containers.isQuoted() });
  }

  /** Reads a line that begins a block, or continues a paragraph or a table. */
  #open(line: string, from: number, matched: number): void {
    let at = from;
    let level = matched;
    let isParagraph = this.#leaf?.kind === 'paragraph';
    for (;;) {
      const indent = countSpaces(line, at);
      if (indent >= CODE_INDENT || level >= DEPTH_MAX) break;
      const rest = line.slice(at + indent, at + indent + LINE_START_LENGTH);
      const next = this.#openContainer(rest, indent, level, isParagraph && level === this.#containers.depth);
      if (next < 0) break;
      at += indent + next;
      level = this.#containers.depth;
      isParagraph = false;
      // The content of an item begins as far in as on its first line, unless that is code or empty.
      if (line.charCodeAt(at) === 0x20 && this.#containers.isInQuote) at += 1;
      if (at + countSpaces(line, at) >= line.length) return;
    }
    this.#readLeaf(line, at, level);
  }

  /** @returns the length of the characters that begin a quote, an item or a footnote, or -1 */
  #openContainer(rest: string, indent: number, level: number, isInParagraph: boolean): number {
    const containers = this.#containers;
    if (rest.charCodeAt(0) === 0x3e) {
      this.#close(level);
      if (containers.isQuoted()) this.#changes.add('nested_quote');
      containers.openQuote();
      return 1;
    }
    const footnote = level === 0 ? readFootnoteLabel(rest) : null;
    if (footnote !== null) {
      this.#close(0);
      containers.openFootnote();
      this.#openFootnote(footnote.label);
      return footnote.width + countSpaces(rest, footnote.width);
    }
    const item = isRule(rest) ? null : readItem(rest);
    if (item === null) return -1;
    if (isInParagraph && (item.isEmpty || (item.order?.typed ?? 1) !== 1)) return -1;
    const order = orderAfter(containers.orderAt(level), item);
    this.#close(level);
    // Discord supports only these bullets, and counts from the number of the first item.
    const bullet = item.bullet === '*' ? '*' : '-';
    const marker = order === null ? bullet : `${order.number}.`;
    containers.openItem(`${marker} `, indent + item.width, order);
    if (marker !== item.written) this.#changes.add('list_marker');
    return item.isEmpty ? rest.length : item.width;
  }

  #readLeaf(line: string, at: number, level: number): void {
    const indent = countSpaces(line, at);
    const rest = line.slice(at + indent);
    const leaf = this.#leaf;
    const isSame = level === this.#containers.depth;
    if (indent >= CODE_INDENT && leaf?.kind !== 'paragraph' && !(isSame && leaf?.kind === 'table')) {
      this.#close(level);
      const code = codeLeaf(this.#containers.takeNesting(), null);
      feedCode(code, { line, at, raw: line });
      this.#leaf = code;
      this.#changes.add('code_block');
      return;
    }
    if (indent < CODE_INDENT && this.#readStart(rest, indent, level)) return;
    if (leaf?.kind === 'paragraph') {
      if (rest.startsWith('[') && leaf.lines.length <= DEFINITION_LINES_MAX)
        takeText(leaf, this.#definitions);
      leaf.lines.push(rest);
    } else if (leaf?.kind === 'table' && isSame) leaf.rows.push(splitRow(rest));
    else {
      this.#close(level);
      const isAlert = this.#containers.isAtQuoteStart;
      this.#leaf = {
        kind: 'paragraph',
        nesting: this.#containers.takeNesting(),
        lines: [rest],
        isAlert,
        isDefinition: false,
      };
    }
  }

  /** Reads a line that begins a heading, code, a rule, HTML or a table. Returns false for other lines. */
  #readStart(rest: string, indent: number, level: number): boolean {
    const paragraph = this.#leaf?.kind === 'paragraph' ? this.#leaf : null;
    const isSame = level === this.#containers.depth;
    if (paragraph !== null && isSame && this.#readUnderline(rest, paragraph)) return true;
    const heading = readHeading(rest);
    if (heading !== null) {
      this.#close(level);
      if (heading.level > 3) this.#changes.add('heading');
      const nesting = this.#containers.takeNesting();
      this.#sink.push({
        kind: 'text',
        nesting,
        text: heading.text,
        heading: heading.level,
        isDiscordMarkup: false,
      });
      return true;
    }
    const fence = readFence(rest);
    if (fence !== null) {
      this.#close(level);
      if (fence.run !== '```') this.#changes.add('code_block');
      const nesting = this.#containers.takeNesting();
      this.#leaf = codeLeaf(nesting, { ...fence, indent });
      return true;
    }
    if (isRule(rest)) {
      this.#close(level);
      this.#changes.add('rule');
      const isQuoted = this.#containers.isQuoted();
      this.#sink.push({ kind: 'gap' }, { kind: 'blank', isQuoted }, { kind: 'gap' });
      return true;
    }
    const html = readHtmlStart(rest, paragraph !== null);
    if (html === null) return false;
    this.#close(level);
    this.#leaf = htmlLeaf(this.#containers.takeNesting(), rest, html);
    if (html.endsOn?.(rest) === true) this.#flush();
    return true;
  }

  /** The line under a heading or under the header of a table. */
  #readUnderline(rest: string, paragraph: Paragraph): boolean {
    const { lines, nesting: above } = paragraph;
    const last = lines.at(-1) ?? '';
    const alignments = readAlignments(last, rest);
    if (alignments !== null) {
      lines.pop();
      this.#changes.add('table');
      // Without text above it, the table takes the item's start.
      const nesting = lines.length === 0 ? above : null;
      if (nesting === null) this.#flush();
      this.#leaf = tableLeaf(nesting ?? this.#containers.takeNesting(), last, alignments);
      return true;
    }
    const level = setextLevel(rest);
    const definitions = this.#definitions;
    if (level === 0 || takeText(paragraph, definitions) === '') return false;
    this.#leaf = null;
    this.#sink.push(...paragraphBlocks(paragraph, level, definitions, this.#changes));
    return true;
  }

  /** Closes the containers from a level on, and the block that is open in them. */
  #close(level: number): void {
    this.#flush();
    if (this.#containers.closeFrom(level)) this.#sink = this.#blocks;
  }

  #flush(): void {
    const leaf = this.#leaf;
    if (leaf === null) return;
    this.#leaf = null;
    this.#sink.push(...blocksOf(leaf, this.#definitions, this.#changes));
    // Blank lines after indented code are not part of it.
    const blanks = leaf.kind === 'code' ? leaf.blanks : 0;
    const isQuoted = this.#containers.isQuoted();
    for (let count = 0; count < blanks; count += 1) this.#sink.push({ kind: 'blank', isQuoted });
  }

  /** Makes the next blocks those of a footnote. If the footnote was written before, the first one counts. */
  #openFootnote(label: string): void {
    this.#sink = [];
    if (!this.#footnotes.has(label))
      this.#footnotes.set(label, { kind: 'footnote', label, blocks: this.#sink });
  }
}

/** The order of an item in its list, after the item before it in the same list. */
function orderAfter(before: Order | null, { order }: ItemStart): Order | null {
  if (order === null) return null;
  return {
    delimiter: order.delimiter,
    number: before?.delimiter === order.delimiter ? before.number + 1 : order.typed,
  };
}
