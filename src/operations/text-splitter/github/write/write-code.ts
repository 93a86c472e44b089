import { countSeparated, separateTicks } from '../../chars/code-ticks.ts';
import type { Block, Nesting } from '../read/block.ts';
import type { ChangeCounts } from '../change-counts.ts';
import type { ConvertedText } from './converted-text.ts';

export function prefixOf({ isQuoted, rest }: Nesting): string {
  return (isQuoted ? '> ' : '') + rest;
}

export function firstPrefixOf({ isQuoted, first }: Nesting): string {
  return (isQuoted ? '> ' : '') + first;
}

/** A text as a line of a code block. */
export function codeLine(text: string, changes: ChangeCounts): string {
  return separate(text.replaceAll(/\s+/g, ' ').trim(), changes);
}

function separate(line: string, changes: ChangeCounts): string {
  changes.add('code_ticks', countSeparated(line));
  return separateTicks(line);
}

/** Writes a code block at the start of the line, because Discord would show the indentation of a fence in the code. */
export function writeCode(
  { lines, language, nesting }: Block & { kind: 'code' },
  out: ConvertedText,
  changes: ChangeCounts,
): void {
  const start = lines.findIndex((line) => line.trim() !== '');
  // Drop an empty block, because Discord shows its back-ticks.
  if (start < 0) {
    out.addGap();
    return;
  }
  const quote = nesting.isQuoted ? '> ' : '';
  const marker = nesting.beginsItem ? nesting.first.trimEnd() : '';
  if (/\d\.$/.test(marker)) out.addLine(quote + marker);
  out.addLine(`${quote}\`\`\`${language}`);
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  for (const line of lines.slice(start, end)) out.addLine(quote + separate(line, changes));
  out.addLine(`${quote}\`\`\``);
}
