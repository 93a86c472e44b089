import { Turn } from '../turn.ts';
import { type HtmlPart, readHtmlPart } from './html-parts.ts';
import { BLOCK_NAMES, LIST_DEPTH_MAX, readNumber, type Tag } from './html.ts';

const LISTS = new Set(['ul', 'ol', 'menu']);
const TITLES = /^(?:h[1-6]|summary)$/;
/** Empty cells that keep the column of the next one, up to this length. */
const CELLS_LENGTH_MAX = 400;
const EMPTY_CELL = '<td></td>';

/** Follows the tags of a block of HTML, to open again everything that is open at a place. */
class HtmlPlace {
  readonly #lists: { readonly name: string; next: number }[] = [];
  #title = '';
  #tables = 0;
  /** The first row, if it is a header, as source. */
  #header = '';
  #rowStart = -1;
  #rows = 0;
  #cells = 0;
  #hasHead = false;
  #isInCell = false;
  /** Opens a comment or raw text that is not closed. */
  #open = '';

  /** @param source of the block, up to `part.end` at least */
  add(part: HtmlPart, at: number, source: string): void {
    if (part.kind === 'hidden' || part.kind === 'raw') this.#open = part.opening ?? '';
    if (part.kind !== 'tag') return;
    const { tag } = part;
    if (tag.name === 'table' || this.#tables > 0) this.#addTableTag(tag, at, source);
    else if (BLOCK_NAMES.has(tag.name)) this.#addLineTag(tag);
  }

  /** @param lengthMax for the header of a table; a longer one is left out */
  opening(lengthMax: number): string {
    const lists = this.#lists.map(({ name, next }) => (name === 'ol' ? `<ol start="${next}">` : `<${name}>`));
    return lists.join('') + this.#title + this.#tableOpening(lengthMax) + this.#open;
  }

  #tableOpening(lengthMax: number): string {
    if (this.#tables === 0) return '';
    const header = this.#rows > 1 && this.#header.length <= lengthMax ? this.#header : '';
    if (this.#cells === 0) return `<table>${header}`;
    const before = EMPTY_CELL.repeat(this.#isInCell ? this.#cells - 1 : this.#cells);
    const row = `<tr>${before.length <= CELLS_LENGTH_MAX ? before : ''}`;
    return `<table>${header}${row}${this.#isInCell ? '<td>' : ''}`;
  }

  #addLineTag(tag: Tag): void {
    const { name, isEnd } = tag;
    if (LISTS.has(name)) {
      if (isEnd) this.#lists.pop();
      else if (this.#lists.length < LIST_DEPTH_MAX)
        this.#lists.push({ name, next: readNumber(tag, 'start') ?? 1 });
    }
    const list = this.#lists.at(-1);
    if (name === 'li' && !isEnd && list !== undefined)
      list.next = (readNumber(tag, 'value') ?? list.next) + 1;
    this.#title = TITLES.test(name) && !isEnd ? `<${name}>` : '';
  }

  #addTableTag({ name, isEnd, end }: Tag, at: number, source: string): void {
    if (name === 'table') {
      this.#tables = Math.max(0, this.#tables + (isEnd ? -1 : 1));
      if (this.#tables === 1 && !isEnd) this.#beginTable(end);
      this.#isInCell = this.#tables > 0 && isEnd && this.#cells > 0;
    } else if (name === 'tr') {
      if (this.#cells > 0) this.#endRow(source.slice(this.#rowStart, isEnd ? end : at));
      if (!isEnd) this.#rowStart = at;
    } else if (name === 'td' || name === 'th') {
      if (!isEnd) {
        if (this.#cells === 0) this.#rows += 1;
        this.#cells += 1;
        if (name === 'th') this.#hasHead = true;
      }
      this.#isInCell = !isEnd;
    }
  }

  #beginTable(at: number): void {
    this.#header = '';
    this.#rows = 0;
    this.#cells = 0;
    this.#hasHead = false;
    this.#rowStart = at;
  }

  #endRow(row: string): void {
    if (this.#rows === 1 && this.#hasHead) this.#header = row.replaceAll(/\s+/g, ' ');
    this.#cells = 0;
    this.#isInCell = false;
  }
}

/** Calls `see` with each part, a few of them a turn. It returns false to end. */
function* walkParts(html: string, see: (part: HtmlPart, at: number) => boolean): Generator<void> {
  const turn = new Turn();
  for (let at = 0; at < html.length;) {
    const part = readHtmlPart(html, at);
    if (!see(part, at)) return;
    if (turn.isOver(part.end - at)) yield;
    at = part.end;
  }
}

/**
 * Source that opens again everything that is open at the end of a block of HTML.
 * @param lengthMax for the header of a table; a longer one is left out
 */
export function* openingOfHtml(html: string, lengthMax: number): Generator<void, string> {
  const place = new HtmlPlace();
  yield* walkParts(html, (part, at) => {
    place.add(part, at, html);
    return true;
  });
  return place.opening(lengthMax);
}

/** How good a cut in HTML is: within words, between two words, lines, cells or items, or rows. */
const RANK = { none: 0, word: 1, line: 2, block: 3, row: 4 } as const;

/** The best place to cut a block of HTML after `from` and up to `to`, never within a tag; -1 if there is none. */
export function* findHtmlCut(html: string, from: number, to: number): Generator<void, number> {
  let best = -1;
  let bestRank: number = RANK.none;
  const add = (at: number, rank: number) => {
    if (at <= from || at > to || rank < bestRank) return;
    best = at;
    bestRank = rank;
  };
  yield* walkParts(html, (part, at) => {
    if (at > to) return false;
    if (part.kind === 'tag') {
      const rank = rankOf(part.tag);
      add(part.tag.isEnd ? part.end : at, rank);
    } else if (part.end > from) {
      for (let place = Math.max(at, from) + 1; place <= Math.min(part.end, to); place += 1) {
        const before = html.charAt(place - 1);
        if (before === '\n') add(place, RANK.line);
        else if (/\s/.test(before)) add(place, RANK.word);
      }
    }
    return true;
  });
  return best;
}

function rankOf({ name }: Tag): number {
  if (name === 'tr') return RANK.row;
  return BLOCK_NAMES.has(name) ? RANK.block : RANK.none;
}
