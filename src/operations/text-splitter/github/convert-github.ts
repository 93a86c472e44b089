import type { Definition, Document } from './read/block.ts';
import { type Change, ChangeCounts } from './read/change-counts.ts';
import type { Run } from './read/inline.ts';
import { BlockReader } from './read/read-blocks.ts';
import { ConvertedText, type Solid, type WrittenPoint } from './write/converted-text.ts';
import type { ChunkRoom } from './write/table-layout.ts';
import { writeDocument } from './write/write-blocks.ts';
import type { TableForm, TableOptions } from './write/write-table.ts';

export interface ConvertOptions {
  readonly tables: TableForm;
  /** Simple formulas become Unicode. */
  readonly latex: boolean;
  /** Tables are laid out in code blocks that each fit. */
  readonly room: ChunkRoom;
}

export interface Converted {
  readonly text: string;
  readonly changes: readonly Change[];
  /** Tables in code blocks: with a cut in one, the later part would have no header. */
  readonly solids: readonly Solid[];
}

/** A part of a text that goes on. */
export interface ConvertedPart extends Converted {
  /** Where it can be cut, in ascending order. */
  readonly points: readonly WrittenPoint[];
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Labels of its footnotes. */
  readonly notes: readonly string[];
  /** Source that opens again what was open at the end. */
  readonly opening: string;
}

/** How much of a text that goes on is read. */
export interface PartEnd {
  readonly end: number;
  /** What is open at the end is read as far as it goes. Without it, it is left out, but for lines of code. */
  readonly isForced: boolean;
  /** Of a table's header that is repeated. */
  readonly headerLengthMax: number;
}

const UNITS_PER_TURN = 32_768;

/**
 * Turns GitHub's Markdown into Discord's, in steps of a few milliseconds: what Discord shows as it is stays, the
 * rest is made readable.
 * @throws Problem text_too_long
 */
export function* convertGithub(text: string, options: ConvertOptions): Generator<void, Converted> {
  const changes = new ChangeCounts();
  const reader = new BlockReader(text, changes);
  yield* readLines(text, reader, text.length);
  if (text.endsWith('\n')) reader.readLine('', text.length);
  const document = reader.finish();
  const out = new ConvertedText(text.length);
  yield* writeDocument(document, out, tableOptions(text, document, changes, options), true);
  return { text: out.toString(), changes: changes.list(), solids: out.solids };
}

/**
 * The same for the first part of a text that goes on.
 * @throws Problem text_too_long
 */
export function* convertPart(
  text: string,
  { end, isForced, headerLengthMax }: PartEnd,
  options: ConvertOptions,
): Generator<void, ConvertedPart> {
  const changes = new ChangeCounts();
  const reader = new BlockReader(text, changes, true);
  yield* readLines(text, reader, end);
  const isInLine = end > 0 && text.charCodeAt(end - 1) !== 0x0a;
  const opening = reader.opening(isInLine, headerLengthMax);
  const document = isForced ? reader.finish() : reader.stop();
  const out = new ConvertedText(text.length);
  yield* writeDocument(document, out, tableOptions(text, document, changes, options), false);
  const { definitions, notes } = document;
  const { solids, points } = out;
  const converted = { text: out.toString(), changes: changes.list(), solids };
  return { ...converted, points, definitions, notes: [...notes.keys()], opening };
}

function tableOptions(
  text: string,
  { definitions, notes }: Document,
  changes: ChangeCounts,
  { tables, room, latex }: ConvertOptions,
): TableOptions {
  const partners = marksWithPartners(text);
  return { form: tables, room, context: { definitions, notes, partners, readsLatex: latex, changes } };
}

/** Marks of styles, and whatever else is written as one. A star between blanks is none, nor a line within a name. */
const MARKS = {
  '*': /\*\*|\*(?=\S)|(?<=\S)\*|<[a-z]|#{4}|\[!|\|/gi,
  _: /_|<[a-z]/gi,
  '~': /~|<[a-z]/gi,
} as const;

function hasSeveral(mark: RegExp, text: string): boolean {
  const marks = text.matchAll(mark);
  return marks.next().done === false && marks.next().done === false;
}

/** Discord may pair a mark that GitHub leaves as it is with any other one in the text. */
function marksWithPartners(text: string): ReadonlySet<Run['sign']> {
  const signs = ['*', '_', '~'] as const;
  return new Set(signs.filter((sign) => hasSeveral(MARKS[sign], text)));
}

function* readLines(text: string, reader: BlockReader, to: number): Generator<void> {
  let turnAt = UNITS_PER_TURN;
  for (let at = 0; at < to;) {
    const found = text.indexOf('\n', at);
    const next = found < 0 || found > to ? to : found;
    const end = next > at && text.charCodeAt(next - 1) === 0x0d ? next - 1 : next;
    reader.readLine(text.slice(at, end), at);
    at = next + 1;
    if (at < turnAt) continue;
    turnAt = at + UNITS_PER_TURN;
    yield;
  }
}
