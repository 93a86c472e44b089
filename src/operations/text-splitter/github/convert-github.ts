import { BlockReader } from './read-blocks.ts';
import { type Change, ChangeCounts } from './change-counts.ts';
import { ConvertedText, type Solid } from './converted-text.ts';
import { type ChunkRoom, type TableForm } from './write-table.ts';
import { writeDocument } from './write-blocks.ts';

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

const UNITS_PER_TURN = 32_768;

/**
 * Turns GitHub's Markdown into Discord's, in steps of a few milliseconds: what Discord shows as it is stays, the
 * rest is made readable.
 * @throws Problem text_too_long
 */
export function* convertGithub(text: string, options: ConvertOptions): Generator<void, Converted> {
  const changes = new ChangeCounts();
  const reader = new BlockReader(text, changes);
  let turnAt = UNITS_PER_TURN;
  for (let at = 0; at <= text.length;) {
    const found = text.indexOf('\n', at);
    const next = found < 0 ? text.length : found;
    const end = next > at && text.charCodeAt(next - 1) === 0x0d ? next - 1 : next;
    reader.readLine(text.slice(at, end));
    at = next + 1;
    if (at < turnAt) continue;
    turnAt = at + UNITS_PER_TURN;
    yield;
  }
  const document = reader.finish();
  const out = new ConvertedText(text.length);
  const { definitions, notes } = document;
  const context = { definitions, notes, readsLatex: options.latex, changes };
  yield* writeDocument(document, out, { form: options.tables, room: options.room, context });
  return { text: out.toString(), changes: changes.list(), solids: out.solids };
}
