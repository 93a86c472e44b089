import type { Place } from './block.ts';
import { countSpaces } from './line-kinds.ts';

/** What quotes, list items and footnotes hold begins after their marks. */
interface Container {
  readonly kind: 'quote' | 'item' | 'note';
  /** Columns that its content is indented by, in the source. */
  readonly offset: number;
  /** The same in the output. */
  readonly indent: number;
  /** Its marks in the source, with the blanks round them. */
  readonly source: string;
}

/** Lines of a footnote that follow the first are indented by this. */
const NOTE_INDENT = 4;
/** A comment takes the marker of the item that it begins: the item goes on without a marker of its own. */
const NOTHING_SHOWN = '<!---->';

/** The quotes, list items and footnotes that are open, from the outermost. */
export class Containers {
  readonly #open: Container[] = [];
  /** Markers of list items that have no content yet. */
  #marker: string | null = null;
  #isQuoteFresh = false;

  get depth(): number {
    return this.#open.length;
  }

  get isInQuote(): boolean {
    return this.#open.at(-1)?.kind === 'quote';
  }

  /** Nothing has been read yet of the innermost quote. */
  get isQuoteFresh(): boolean {
    return this.#isQuoteFresh && this.isInQuote;
  }

  isQuoted(): boolean {
    return this.#open.some((each) => each.kind === 'quote');
  }

  /** How many of them a line goes on with, and where their content begins. */
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
    this.#open.push({ kind: 'quote', offset: 0, indent: 0, source: '> ' });
    this.#isQuoteFresh = true;
  }

  /** @param marker as it is written; `source` as it was read */
  openItem(marker: string, source: string): void {
    this.#marker = (this.#marker ?? ' '.repeat(this.#indent())) + marker;
    this.#open.push({ kind: 'item', offset: source.length, indent: marker.length, source });
  }

  openNote(): void {
    // Opened again it is an item: its name is shown only where it begins.
    this.#open.push({ kind: 'note', offset: NOTE_INDENT, indent: 0, source: '-   ' });
  }

  /** Closes those from a level on. @returns whether a footnote is among them */
  closeFrom(level: number): boolean {
    if (level >= this.#open.length) return false;
    this.#marker = null;
    return this.#open.splice(level).some((each) => each.kind === 'note');
  }

  /** The first quote from a level on, or -1. */
  findQuote(level: number): number {
    return this.#open.findIndex((each, index) => index >= level && each.kind === 'quote');
  }

  /** Where the next block goes. It takes the marker of the item that it begins. */
  takePlace(): Place {
    const rest = ' '.repeat(this.#indent());
    const first = this.#marker;
    this.#marker = null;
    this.#isQuoteFresh = false;
    return { isQuoted: this.isQuoted(), first: first ?? rest, rest, beginsItem: first !== null };
  }

  /** Whether a text that begins with `opening` is read on as it would be here. */
  get canReopen(): boolean {
    return this.#marker === null && !this.isQuoteFresh;
  }

  /** A line of source that opens the first `depth` of them again and shows nothing; empty where there are none. */
  opening(depth: number): string {
    if (depth === 0) return '';
    const marks = this.#open.slice(0, depth).map((each) => each.source);
    return `${marks.join('')}${NOTHING_SHOWN}\n`;
  }

  /** Opens all of them again, and then what is open inside of them. */
  openingWith(lines: readonly string[]): string {
    const prefix = this.linePrefix();
    return this.opening(this.depth) + lines.map((line) => `${prefix}${line}\n`).join('');
  }

  /** What a line in all of them begins with. */
  linePrefix(): string {
    return this.#open.map(({ kind, offset }) => (kind === 'quote' ? '> ' : ' '.repeat(offset))).join('');
  }

  #indent(): number {
    return this.#open.reduce((sum, each) => sum + each.indent, 0);
  }
}
