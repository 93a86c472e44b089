import type { Alignment } from './block.ts';

// The beginnings of lines, as CommonMark and GitHub read them. `rest` is the line without its indentation and the marks
// of its containers. All regular expressions are anchored and cannot backtrack over more than a line's start.

const RULE_START = /^([-*_])[ \t]*\1[ \t]*\1/;
const RULE = /^(?:[* \t]+|[- \t]+|[_ \t]+)$/;
const HEADING = /^(#{1,6})(?:[ \t]+|$)/;
const FENCE = /^(`{3,}|~{3,})/;
const ITEM = /^(?:([-+*])|(\d{1,9})([.)]))(?= |$)/;
const FOOTNOTE = /^\[\^([^\]\s[]{1,200})\]:/;

/** The lines of a text, without their line breaks. */
export function linesOf(text: string): string[] {
  return text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

export function isRule(rest: string): boolean {
  return RULE_START.test(rest) && RULE.test(rest);
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
  // Closing characters count only after white space.
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
  const line = rest.trimEnd();
  return line.length >= run.length && line === run.charAt(0).repeat(line.length);
}

export interface ItemStart {
  /** `-` or `*`, or null in an ordered list. */
  readonly bullet: string | null;
  /** As typed, or null in a list without numbers. */
  readonly order: { readonly typed: number; readonly delimiter: '.' | ')' } | null;
  /** Without the spaces around it. */
  readonly written: string;
  /** Of the marker, with the spaces after it that are not part of the content. */
  readonly width: number;
  readonly isEmpty: boolean;
}

/** More spaces after a marker than this begin indented code. */
const ITEM_GAP_MAX = 4;

export function readItem(rest: string): ItemStart | null {
  const [written, bullet, digits, delimiter] = ITEM.exec(rest) ?? [];
  if (written === undefined) return null;
  const spaces = countSpaces(rest, written.length);
  const isEmpty = written.length + spaces >= rest.length;
  const width = written.length + (isEmpty || spaces > ITEM_GAP_MAX ? 1 : spaces);
  const order =
    digits === undefined
      ? null
      : ({ typed: Number(digits), delimiter: delimiter === ')' ? ')' : '.' } as const);
  return { bullet: bullet ?? null, order, written, width, isEmpty };
}

/** The label of a footnote whose text begins here. */
export function readFootnoteLabel(rest: string): { label: string; width: number } | null {
  const match = rest.startsWith('[^') ? FOOTNOTE.exec(rest) : null;
  return match === null ? null : { label: match[1] ?? '', width: match[0].length };
}

/** The level of the heading that this underline makes of the paragraph above it, or 0. */
export function setextLevel(rest: string): number {
  if (/^=+\s*$/.test(rest)) return 1;
  return /^-+\s*$/.test(rest) ? 2 : 0;
}

/** The number of spaces from `at` on. */
export function countSpaces(line: string, at: number): number {
  let end = at;
  while (line.charCodeAt(end) === 0x20) end += 1;
  return end - at;
}

const TAB_STOP = 4;
/** Longer than the marks of the deepest containers. */
const LEAD_LENGTH_MAX = 400;

/** Turns tabs among the marks and spaces at the start of a line into spaces up to the next stop. */
export function expandTabs(line: string): string {
  if (line.length > LEAD_LENGTH_MAX && line.trim() === '') return '';
  const lead = /^[ \t>*+\-.)\d]*/.exec(line.slice(0, LEAD_LENGTH_MAX))?.[0] ?? '';
  if (!lead.includes('\t')) return line;
  let expanded = '';
  for (const char of lead) {
    expanded += char === '\t' ? ' '.repeat(TAB_STOP - (expanded.length % TAB_STOP)) : char;
  }
  return expanded + line.slice(lead.length);
}

const DELIMITER = /^:?-+:?$/;
/** Further cells of a row are joined to its last one. */
export const COLUMNS_MAX = 1_000;

/** Splits a row into trimmed cells. `\|` is a pipe inside a cell, in code as well. */
export function splitRow(line: string): string[] {
  const row = line.trim();
  const cells: string[] = [];
  let start = row.startsWith('|') ? 1 : 0;
  for (let at = start; at < row.length && cells.length < COLUMNS_MAX - 1; at += 1) {
    const char = row.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '|') {
      cells.push(row.slice(start, at));
      start = at + 1;
    }
  }
  // A last pipe closes the row. Without it the last cell is still open.
  if (start < row.length) cells.push(row.slice(start));
  return cells.map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}

/**
 * Reads the alignments from a line between the header and the rows of a table. Returns null for other lines. GitHub
 * requires as many cells as in the header. Models often miscount, so other numbers are accepted.
 */
export function readAlignments(header: string, line: string): Alignment[] | null {
  // `---` alone is a rule, or makes a heading of the line above it.
  if (!line.includes('|') && !line.includes(':')) return null;
  if (!header.includes('|') && !/^\s*\|/.test(line)) return null;
  const cells = splitRow(line);
  if (cells.length === 0 || !cells.every((cell) => DELIMITER.test(cell))) return null;
  return cells.map((cell) => (cell.endsWith(':') && !cell.startsWith(':') ? 'right' : 'left'));
}
