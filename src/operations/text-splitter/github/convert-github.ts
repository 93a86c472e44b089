import type { Definition, Note, Point } from './read/block.ts';
import { type Change, ChangeCounts } from './read/change-counts.ts';
import type { Run } from './read/inline.ts';
import { linesOf } from './read/line-kinds.ts';
import { BlockReader } from './read/read-blocks.ts';
import { Turn } from './turn.ts';
import { ConvertedText, type Solid, type WrittenPoint } from './write/converted-text.ts';
import type { ChunkRoom } from './write/table-layout.ts';
import { writeBlocks } from './write/write-blocks.ts';
import type { TableForm } from './write/write-table.ts';

export interface ConvertOptions {
  readonly tables: TableForm;
  /** Turns simple formulas into Unicode. */
  readonly latex: boolean;
  /** Tables become code blocks that each fit in this room. */
  readonly room: ChunkRoom;
}

export interface Converted {
  readonly text: string;
  readonly changes: readonly Change[];
  /** Tables in code blocks: with a cut in one, the later part would have no header. */
  readonly solids: readonly Solid[];
  /** Possible cuts of a text that goes on, in ascending order. */
  readonly points: readonly WrittenPoint[];
  /** The end of a part that is read by force, even if something is open there. */
  readonly end: Point;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly notes: ReadonlyMap<string, Note>;
}

/** The part to read of a text that goes on. */
export interface PartEnd {
  readonly end: number;
  /** True to read an open block as far as it goes. Otherwise it is left out, except for lines of code. */
  readonly isForced: boolean;
  /** Longest header of a table that is repeated. */
  readonly headerLengthMax: number;
}

/**
 * Turns GitHub's Markdown into Discord's, in steps of a few milliseconds: anything that Discord shows as it is stays,
 * the rest is made readable.
 * @param part of a text that goes on; null for a complete text
 * @throws Problem text_too_long
 */
export function* convertGithub(
  text: string,
  { tables, room, latex }: ConvertOptions,
  part: PartEnd | null = null,
): Generator<void, Converted> {
  const changes = new ChangeCounts();
  const reader = new BlockReader(text, changes, part !== null);
  const end = part?.end ?? text.length;
  const turn = new Turn();
  for (const { line, at } of linesOf(text, end)) {
    reader.readLine(line, at);
    if (turn.isOver(line.length)) yield;
  }
  const isInLine = end > 0 && text.charCodeAt(end - 1) !== 0x0a;
  if (part === null && !isInLine) reader.readLine('', end);
  const opening = part?.isForced === true ? yield* reader.opening(isInLine, part.headerLengthMax) : '';
  const { blocks, definitions, notes } = part?.isForced === false ? reader.stop() : reader.finish();
  const endPoint = { at: end, opening, definitions: definitions.size, notes: notes.size };
  const out = new ConvertedText(text.length);
  const context = { definitions, notes, partners: marksWithPartners(text), readsLatex: latex, changes };
  const shown = part === null ? [...blocks, ...notes.values()] : blocks;
  yield* writeBlocks(shown, out, { form: tables, room, context });
  const { solids, points } = out;
  return { text: out.toString(), changes: changes.list(), solids, points, definitions, notes, end: endPoint };
}

/** Marks of styles, and anything else that is written as one. A star between blanks is not a mark. */
const MARKS = {
  '*': /\*\*|\*(?=\S)|(?<=\S)\*|<[a-z]|#{4}|\[!|\|/gi,
  _: /_|<[a-z]/gi,
  '~': /~|<[a-z]/gi,
} as const;

/** Discord may pair a mark that GitHub leaves as it is with any other one in the text. */
function marksWithPartners(text: string): ReadonlySet<Run['sign']> {
  const signs = ['*', '_', '~'] as const;
  return new Set(signs.filter((sign) => [...text.matchAll(MARKS[sign]).take(2)].length > 1));
}
