import type { Nesting } from './block.ts';
import { countSpaces } from './line-kinds.ts';

/** A quote, list item or footnote. Its content begins after its marks. */
interface Container {
  readonly kind: 'quote' | 'item' | 'footnote';
  /** Columns of indentation of its content, in the source. */
  readonly offset: number;
  /** The same in the output. */
  readonly indent: number;
  /** null unless it is an item of an ordered list. */
  readonly order: Order | null;
}

/** The position of an item in an ordered list. */
export interface Order {
  /** As it is shown. */
  readonly number: number;
  readonly delimiter: '.' | ')';
}

/** The later lines of a footnote are indented by this. */
const FOOTNOTE_INDENT = 4;

/** The quotes, list items and footnotes that are open, from the outermost. */
export class Containers {
  readonly #open: Container[] = [];
  /** Markers of list items that have no content yet. */
  #marker: string | null = null;
  #isAtQuoteStart = false;

  get depth(): number {
    return this.#open.length;
  }

  get isInQuote(): boolean {
    return this.#open.at(-1)?.kind === 'quote';
  }

  /** True before the first block of the innermost quote. */
  get isAtQuoteStart(): boolean {
    return this.#isAtQuoteStart && this.isInQuote;
  }

  isQuoted(): boolean {
    return this.#open.some((each) => each.kind === 'quote');
  }

  /** The number of containers that a line continues, and the start of their content. */
  match(line: string): { at: number; matched: number } {
    let at = 0;
    let matched = 0;
    for (const container of this.#open) {
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

  openQuote(): void {
    // Discord reads a quote only at the start of a line, so drop the indentation of its item.
    this.#marker = this.#marker?.trimStart() ?? null;
    this.#open.push({ kind: 'quote', offset: 0, indent: 0, order: null });
    this.#isAtQuoteStart = true;
  }

  /**
   * @param marker as it is written
   * @param offset of its content in the source
   */
  openItem(marker: string, offset: number, order: Order | null): void {
    this.#marker = (this.#marker ?? ' '.repeat(this.#indent())) + marker;
    this.#open.push({ kind: 'item', offset, indent: marker.length, order });
  }

  openFootnote(): void {
    this.#open.push({ kind: 'footnote', offset: FOOTNOTE_INDENT, indent: 0, order: null });
  }

  /**
   * Closes containers from a level on.
   * @returns true when a footnote is among them
   */
  closeFrom(level: number): boolean {
    if (level >= this.#open.length) return false;
    this.#marker = null;
    return this.#open.splice(level).some((each) => each.kind === 'footnote');
  }

  /** The first quote from a level on, or -1. */
  findQuote(level: number): number {
    return this.#open.findIndex((each, index) => index >= level && each.kind === 'quote');
  }

  /** The nesting of the next block. It takes the marker of the item that it begins. */
  takeNesting(): Nesting {
    const rest = ' '.repeat(this.#indent());
    const first = this.#marker;
    this.#marker = null;
    this.#isAtQuoteStart = false;
    return { isQuoted: this.isQuoted(), first: first ?? rest, rest, beginsItem: first !== null };
  }

  /** The order of the item at a level in its list, or null. */
  orderAt(level: number): Order | null {
    return this.#open[level]?.order ?? null;
  }

  #indent(): number {
    const quote = this.#open.findIndex(({ kind }) => kind === 'quote');
    return this.#open.slice(quote + 1).reduce((sum, each) => sum + each.indent, 0);
  }
}
