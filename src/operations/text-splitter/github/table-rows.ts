import type { Alignment } from './block.ts';

const PIPE = 0x7c;
const BACKSLASH = 0x5c;
const DELIMITER = /^:?-+:?$/;

/** Cells of a row, trimmed; `\|` is a pipe inside a cell, in code as well. */
export function splitRow(line: string): string[] {
  const row = line.trim();
  if (row !== '' && !row.includes('|')) return [row];
  const cells: string[] = [];
  let hasEscape = false;
  let start = row.charCodeAt(0) === PIPE ? 1 : 0;
  for (let at = start; at < row.length; at += 1) {
    const unit = row.charCodeAt(at);
    if (unit === BACKSLASH) {
      if (row.charCodeAt(at + 1) === PIPE) hasEscape = true;
      at += 1;
    } else if (unit === PIPE) {
      cells.push(cellOf(row.slice(start, at), hasEscape));
      start = at + 1;
      hasEscape = false;
    }
  }
  // A last pipe closes the row; without it the last cell is still open.
  if (start < row.length) cells.push(cellOf(row.slice(start), hasEscape));
  // The copy is as large as what it holds; a list that grew has room for many more.
  return cells.slice();
}

function cellOf(source: string, hasEscape: boolean): string {
  const cell = source.trim();
  return hasEscape ? cell.replaceAll(String.raw`\|`, '|') : cell;
}

/**
 * The alignments that a line between the header and the rows of a table gives; null when it is no such line.
 * GitHub wants as many cells as the header has; models often miscount, so here other numbers are fine.
 */
export function readAlignments(header: string, line: string): Alignment[] | null {
  if (!line.includes('-') || (!line.includes('|') && !(line.includes(':') && header.includes('|'))))
    return null;
  if (!header.includes('|') && !/^\s*\|/.test(line)) return null;
  if (/[^\s|:-]/.test(line)) return null;
  const cells = splitRow(line);
  if (cells.length === 0 || !cells.every((cell) => DELIMITER.test(cell))) return null;
  return cells.map((cell) => (cell.endsWith(':') && !cell.startsWith(':') ? 'right' : 'left'));
}
