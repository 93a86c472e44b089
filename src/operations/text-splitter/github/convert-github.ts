import { Problem } from '../../../kernel/problem.ts';
import { fillCounter, SEPARATOR_LENGTH } from '../chunks/emit-chunks.ts';
import { CHUNKS_MAX, type SplitOptions } from '../split-options.ts';
import { type Change, ChangeCounts } from './change-counts.ts';
import type { Run } from './read/inline.ts';
import { linesOf } from './read/line-kinds.ts';
import { quoteReasoning } from './read/quote-reasoning.ts';
import { BlockReader } from './read/read-blocks.ts';
import { ConvertedText, type UnbreakableRange } from './write/converted-text.ts';
import type { ChunkCapacity } from './write/table-layout.ts';
import { writeBlocks } from './write/write-blocks.ts';
import type { TableForm } from './write/write-table.ts';

export interface ConvertOptions {
  readonly tables: TableForm;
  /** Turns simple formulas into Unicode. */
  readonly latex: boolean;
  /** The limits of each code block that a table becomes. */
  readonly capacity: ChunkCapacity;
}

export interface Converted {
  readonly text: string;
  readonly changes: readonly Change[];
  /** Tables in code blocks. After a cut in one, the later part would have no header. */
  readonly unbreakable: readonly UnbreakableRange[];
}

/**
 * Turns GitHub's Markdown into Discord's. Text that Discord shows as it is stays, and the rest is made readable.
 * @throws Problem text_too_long
 */
export function convertGithub(text: string, { tables, capacity, latex }: ConvertOptions): Converted {
  const changes = new ChangeCounts();
  const lines = quoteReasoning(linesOf(text), () => changes.add('html'));
  const reader = new BlockReader(lines, changes);
  for (const line of lines) reader.readLine(line);
  const { blocks, definitions, footnotes } = reader.finish();
  const out = new ConvertedText();
  const context = {
    definitions,
    footnotes,
    pairableChars: findPairableChars(text),
    readsLatex: latex,
    changes,
  };
  writeBlocks([...blocks, ...footnotes.values()], out, { form: tables, capacity, context });
  return { text: out.toString(), changes: changes.list(), unbreakable: out.unbreakable };
}

/** Marks of styles, and other syntax that the conversion writes with such marks. A star between spaces is not a mark. */
const MARKS = {
  '*': /\*\*|\*(?=\S)|(?<=\S)\*|<[a-z]|#{4}|\[!|\|/gi,
  _: /_|<[a-z]/gi,
  '~': /~|<[a-z]/gi,
} as const;

/** Finds the characters that the text has more than once, so that Discord may pair some that GitHub does not. */
function findPairableChars(text: string): ReadonlySet<Run['char']> {
  const chars = ['*', '_', '~'] as const;
  return new Set(chars.filter((char) => [...text.matchAll(MARKS[char]).take(2)].length > 1));
}

/**
 * The conversion for a text that is split with these options afterwards.
 * @throws Problem invalid_field
 */
export function conversionFor(
  options: SplitOptions,
  { tables, latex }: { readonly tables: TableForm; readonly latex: boolean },
): ConvertOptions {
  const { mode, prepend, append, counter, maxLength, maxLines } = options;
  if (mode !== 'markdown') {
    throw new Problem('invalid_field/dialect', { field: 'dialect' });
  }
  const added = [prepend, append, fillCounter(counter, CHUNKS_MAX, CHUNKS_MAX)].filter((each) => each !== '');
  const taken = added.reduce((sum, each) => sum + each.length + SEPARATOR_LENGTH, 0);
  // Each addition takes at least a line of its own next to a fence.
  const lines = (maxLines ?? Infinity) - added.reduce((sum, each) => sum + each.split('\n').length, 0);
  return { tables, latex, capacity: { length: maxLength - taken, lines } };
}
