import { ChangeCounts } from './read/change-counts.ts';
import type { Inline } from './read/inline.ts';
import { findHtmlCut } from './read/html-place.ts';
import type { Html, Paragraph } from './read/leaf.ts';
import { linesOf } from './read/line-kinds.ts';
import { BlockReader } from './read/read-blocks.ts';
import { readInline } from './read/read-inline.ts';
import { Turn } from './turn.ts';

/** Up to this many units and a chunk later, text may decide what a mark means. */
const WAIT_UNITS = 1_000;
/** Room for marks that are opened again before the rest. */
const OPENING_UNITS = 1_300;
/** Marks that begin further before the place are not searched for. */
const BEFORE_UNITS = 16_384;
/** This much of a line shows what it begins. */
const LINE_START_UNITS = 400;

/**
 * The best place to cut a text that is undecided throughout, so that about a chunk is left after it: between lines of
 * code, rows of a table, or words outside of all marks.
 */
export function* findForcedCut(
  text: string,
  maxLength: number,
  readsLatex: boolean,
): Generator<void, number> {
  const to = text.length - maxLength - WAIT_UNITS;
  const from = Math.max(0, text.length - 2 * maxLength - OPENING_UNITS);
  const reader = new BlockReader(text, new ChangeCounts(), true);
  let best = -1;
  const turn = new Turn();
  let paragraph: Paragraph | null = null;
  let html: Html | null = null;
  for (const { line, at } of linesOf(text, text.length)) {
    const before = reader.leaf;
    if (at > to && (paragraph === null || before !== paragraph)) break;
    const isRead = before?.kind === 'paragraph' || before?.kind === 'html';
    const isAllowed = at > from && at <= to && !isRead && reader.canReopen;
    reader.readLine(line, at);
    // If a table is over, repeating its header would show it once too often.
    if (isAllowed && (before === null || before === reader.leaf)) best = at;
    if (at <= to && reader.leaf?.kind === 'paragraph') paragraph = reader.leaf;
    if (at <= to && reader.leaf?.kind === 'html') html = reader.leaf;
    if (turn.isOver(line.length)) yield;
  }
  if (paragraph !== null) best = Math.max(best, cutInParagraph(paragraph, from, to, readsLatex));
  if (html !== null) best = Math.max(best, yield* cutInHtml(html, from, to));
  return best > 0 ? best : anywhere(text, from, to);
}

/** The best place between rows, cells, lines or words; -1 if there is none. */
function* cutInHtml(leaf: Html, from: number, to: number): Generator<void, number> {
  const source = new LeafSource(leaf);
  const place = yield* findHtmlCut(source.text, source.placeOf(from), source.placeOf(to));
  return place < 0 ? -1 : source.at(place);
}

/** The last place between two words outside of all marks; -1 if there is none. */
function cutInParagraph({ lines, ends }: Paragraph, from: number, to: number, readsLatex: boolean): number {
  const context = {
    definitions: new Map(),
    notes: new Map(),
    partners: new Set<never>(),
    readsLatex,
    changes: new ChangeCounts(),
  };
  const source = lines.join('\n');
  const readFrom = Math.max(0, source.length - ((ends.at(-1) ?? 0) - from) - BEFORE_UNITS);
  const starts: number[] = [];
  const parts = readInline(source.slice(readFrom), context, starts);
  // The line of a place in the joined lines.
  let line = 0;
  let lineStart = 0;
  let depth = 0;
  let best = -1;
  for (const [index, part] of parts.entries()) {
    const start = readFrom + (starts[index] ?? 0);
    const isClosing = part.kind === 'run' && part.closes !== null;
    if (depth === 0 && !isClosing) {
      const isText = part.kind === 'text' && source.startsWith(part.text, start);
      for (let place = start; place < start + (isText ? part.text.length : 1); place += 1) {
        while (line < lines.length - 1 && lineStart + (lines[line]?.length ?? 0) < place) {
          lineStart += (lines[line]?.length ?? 0) + 1;
          line += 1;
        }
        const at = (ends[line] ?? 0) - (lines[line]?.length ?? 0) + place - lineStart;
        if (at > to) return best;
        if (at > from && beginsWords(source, place)) best = at;
      }
    }
    depth += depthChange(part);
  }
  return best;
}

/** True when a line that begins there would be part of a paragraph. */
function beginsWords(source: string, at: number): boolean {
  if (!/[\s。！？、，]/.test(source.charAt(at - 1))) return false;
  const rest = source.slice(at, at + LINE_START_UNITS);
  if (/^(?:[\s|]|\[[^\]]*\]:)/.test(rest)) return false;
  const reader = new BlockReader('', new ChangeCounts());
  reader.readLine(rest, 0);
  return reader.leaf?.kind === 'paragraph' && reader.depth === 0;
}

/** The change in the number of open marks over a part. */
function depthChange(part: Inline): number {
  switch (part.kind) {
    case 'run':
      return (part.opens?.length ?? 0) - (part.closes?.length ?? 0);
    case 'link':
      return 1;
    case 'linkEnd':
      return -1;
    case 'style':
      return part.isPaired ? (part.isEnd ? -1 : 1) : 0;
    default:
      return 0;
  }
}

/** After the last white space between two places, or at the last place. */
function anywhere(text: string, from: number, to: number): number {
  for (let at = to; at > from; at -= 1) if (/\s/.test(text.charAt(at - 1))) return at;
  const isInPair = /[\udc00-\udfff]/.test(text.charAt(to));
  return Math.max(1, isInPair ? to - 1 : to);
}

/** The lines of a block without the marks of its containers, and where each of its places is in the text. */
class LeafSource {
  readonly text: string;
  /** The ends of the lines in `text` and in the whole text. */
  readonly #lineEnds: number[] = [];
  readonly #ends: readonly number[];

  constructor({ lines, ends }: Pick<Html, 'lines' | 'ends'>) {
    this.text = lines.join('\n');
    this.#ends = ends;
    let end = -1;
    for (const line of lines) {
      end += line.length + 1;
      this.#lineEnds.push(end);
    }
  }

  /** Where a place of `text` is in the whole text. */
  at(place: number): number {
    const line = this.#lineEnds.findIndex((end) => end >= place);
    return (this.#ends[line] ?? 0) - (this.#lineEnds[line] ?? 0) + place;
  }

  /** The last place of `text` up to one in the whole text. */
  placeOf(at: number): number {
    const line = this.#ends.findIndex((end) => end >= at);
    if (line < 0) return this.text.length;
    const end = this.#lineEnds[line] ?? 0;
    const lineStart = line === 0 ? 0 : (this.#lineEnds[line - 1] ?? 0) + 1;
    return Math.max(lineStart - 1, end - (this.#ends[line] ?? 0) + at);
  }
}
