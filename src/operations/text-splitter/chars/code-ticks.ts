/** Discord ends every block of code at three back-ticks. */
const THIRD = /``(?=`)/g;
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Separates runs of back-ticks, so that they cannot end the block: an invisible character follows every second one of a
 * longer run.
 */
export function separateTicks(code: string): string {
  return code.includes('```') ? code.replaceAll(THIRD, `\`\`${ZERO_WIDTH_SPACE}`) : code;
}

/** The number of characters that `separateTicks` adds. */
export function countSeparated(code: string): number {
  return code.includes('```') ? [...code.matchAll(THIRD)].length : 0;
}

/** Maps a position in the result of `separateTicks` back to the code. */
export function positionInOriginalCode(code: string, at: number): number {
  let added = 0;
  THIRD.lastIndex = 0;
  for (const { index } of code.matchAll(THIRD)) {
    if (index + 2 + added >= at) break;
    added += 1;
  }
  return at - added;
}

/** Inline code that shows `body`, and the number of invisible characters in it. */
export function writeInlineCode(body: string): { readonly source: string; readonly separators: number } {
  let code = separateTicks(body);
  const hasRun = (length: number) => new RegExp(`(?<!\`)\`{${length}}(?!\`)`).test(code);
  // Three back-ticks would open a block.
  if (hasRun(1) && hasRun(2)) code = code.replaceAll(/`(?=`)/g, `\`${ZERO_WIDTH_SPACE}`);
  const run = hasRun(1) ? '``' : '`';
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return { source: run + pad + code + pad + run, separators: code.length - body.length };
}
