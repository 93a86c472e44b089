import { Problem } from '../../../kernel/problem.ts';
import { fillCounter, GLUE_LENGTH } from '../chunks/emit-chunks.ts';
import { CHUNKS_MAX, type SplitOptions } from '../split-options.ts';
import type { ConvertOptions } from './convert-github.ts';
import type { TableForm } from './write/write-table.ts';

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
  const taken = added.reduce((sum, each) => sum + each.length + GLUE_LENGTH, 0);
  // Each addition takes at least a line of its own next to a fence.
  const lines = (maxLines ?? Infinity) - added.reduce((sum, each) => sum + each.split('\n').length, 0);
  return { tables, latex, room: { length: maxLength - taken, lines } };
}
