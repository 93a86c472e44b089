import type { Alignment } from './block.ts';

// What a line begins, as CommonMark and GitHub read it. `rest` is the line without what its containers took and
// without its indentation. All expressions are anchored and cannot backtrack over more than a line's start.

const RULE = /^(?:[* \t]+|[- \t]+|[_ \t]+)$/;
const HEADING = /^(#{1,6})(?:[ \t]+|$)/;
const FENCE = /^(`{3,}|~{3,})/;
const BULLET = /^([-+*])(?= |$)/;
const NUMBER = /^(\d{1,9})([.)])(?= |$)/;
const NOTE = /^\[\^([^\]\s[]{1,200})\]:/;

/** The lines up to a place in a text, without their line breaks, and where each begins. */
export function* linesOf(text: string, to: number): Generator<{ line: string; at: number }> {
  for (let at = 0; at < to;) {
    const found = text.indexOf('\n', at);
    const end = found < 0 || found > to ? to : found;
    yield { line: text.slice(at, end).replace(/\r$/, ''), at };
    at = end + 1;
  }
}

export function isRule(rest: string): boolean {
  return /^[*_-]/.test(rest) && RULE.test(rest) && rest.replaceAll(/[ \t]+/g, '').length >= 3;
}

export interface Heading {
  readonly level: number;
  readonly text: string;
}

export function readHeading(rest: string): Heading | null {
  const match = HEADING.exec(rest);
  if (match === null) return null;
  const body = rest.slice(match[0].length).trim();
  let end = body.length;
  while (body.charAt(end - 1) === '#') end -= 1;
  // Closing signs count only after white space.
  const isClosed = end === 0 || /[ \t]/.test(body.charAt(end - 1));
  return { level: (match[1] ?? '').length, text: isClosed ? body.slice(0, end).trim() : body };
}

export interface FenceStart {
  readonly run: string;
  /** The first word after the run, if it can be the name of a language in Discord. */
  readonly language: string;
}

export function readFence(rest: string): FenceStart | null {
  const run = FENCE.exec(rest)?.[1];
  if (run === undefined) return null;
  const info = rest.slice(run.length).trim();
  if (run.startsWith('`') && info.includes('`')) return null;
  const language = /^[\w+\-.#]{1,40}(?=[\s,{:]|$)/.exec(info)?.[0] ?? '';
  return { run, language };
}

export function closesFence(rest: string, run: string): boolean {
  if (!rest.startsWith(run)) return false;
  const sign = run.charCodeAt(0);
  let at = run.length;
  while (rest.charCodeAt(at) === sign) at += 1;
  return rest.slice(at).trim() === '';
}

export interface ItemStart {
  /** As Discord writes it, with the space after it. */
  readonly marker: string;
  /** The marker in the source, with the blanks after it that are not part of the content. */
  readonly source: string;
  readonly isEmpty: boolean;
  /** The marker was one that Discord does not know. */
  readonly isChanged: boolean;
  readonly isFirst: boolean;
}

/** More blanks after a marker than this begin indented code. */
const ITEM_GAP_MAX = 4;

export function readItem(rest: string): ItemStart | null {
  const bullet = BULLET.exec(rest)?.[1];
  const number = bullet === undefined ? NUMBER.exec(rest) : null;
  const written = bullet ?? number?.[0];
  if (written === undefined) return null;
  const spaces = countSpaces(rest, written.length);
  const isEmpty = written.length + spaces >= rest.length;
  const source = written + ' '.repeat(isEmpty || spaces > ITEM_GAP_MAX ? 1 : spaces);
  if (number === null) {
    const sign = written === '+' ? '-' : written;
    return { marker: `${sign} `, source, isEmpty, isChanged: written === '+', isFirst: true };
  }
  const [, digits = '', end = ''] = number;
  return { marker: `${digits}. `, source, isEmpty, isChanged: end === ')', isFirst: Number(digits) === 1 };
}

/** The label of a footnote whose text begins here. */
export function readNoteLabel(rest: string): { label: string; width: number } | null {
  const match = rest.startsWith('[^') ? NOTE.exec(rest) : null;
  return match === null ? null : { label: match[1] ?? '', width: match[0].length };
}

/** Level of the heading that a line under a paragraph makes of it; 0 for none. */
export function setextLevel(rest: string): number {
  const line = rest.trimEnd();
  if (/^=+$/.test(line)) return 1;
  return /^-+$/.test(line) ? 2 : 0;
}

/** How many spaces there are from `at` on. */
export function countSpaces(line: string, at: number): number {
  let end = at;
  while (line.charCodeAt(end) === 0x20) end += 1;
  return end - at;
}

const TAB_STOP = 4;
/** Longer than the marks of all containers that are read. */
const LEAD_LENGTH_MAX = 400;

/** Tabs among the marks and blanks that a line begins with become spaces up to the next stop. */
export function expandTabs(line: string): string {
  if (line.length > LEAD_LENGTH_MAX && line.trim() === '') return '';
  const lead = /^[ \t>*+\-.)\d]*/.exec(line.slice(0, LEAD_LENGTH_MAX))?.[0] ?? '';
  if (!lead.includes('\t')) return line;
  let expanded = '';
  for (const sign of lead) {
    expanded += sign === '\t' ? ' '.repeat(TAB_STOP - (expanded.length % TAB_STOP)) : sign;
  }
  return expanded + line.slice(lead.length);
}

const PIPE = 0x7c;
const BACKSLASH = 0x5c;
const DELIMITER = /^:?-+:?$/;
/** What comes after so many cells of a row is in its last one. */
export const COLUMNS_MAX = 1_000;

/** Cells of a row, trimmed; `\|` is a pipe inside a cell, in code as well. */
export function splitRow(line: string): string[] {
  const row = line.trim();
  if (row !== '' && !row.includes('|')) return [row];
  const cells: string[] = [];
  let hasEscape = false;
  let start = row.charCodeAt(0) === PIPE ? 1 : 0;
  for (let at = start; at < row.length && cells.length < COLUMNS_MAX - 1; at += 1) {
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
  if (start < row.length) cells.push(cellOf(row.slice(start), hasEscape || cells.length === COLUMNS_MAX - 1));
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
