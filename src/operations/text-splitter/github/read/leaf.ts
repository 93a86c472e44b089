import type { Alignment, Block, Nesting } from './block.ts';
import type { ChangeCounts } from '../change-counts.ts';
import type { HtmlStart } from './html.ts';
import { closesFence, countSpaces, type FenceStart, splitRow } from './line-kinds.ts';
import { takeDefinitions } from './link-target.ts';

/** The block of one kind. */
type BlockOf<Kind extends Block['kind']> = Block & { readonly kind: Kind };

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly nesting: Nesting;
  readonly lines: string[];
  readonly isAlert: boolean;
  /** True when definitions were taken from its start. */
  isDefinition: boolean;
}

export interface Code {
  readonly kind: 'code';
  readonly block: BlockOf<'code'>;
  readonly lines: string[];
  /** null for indented code. */
  readonly fence: (FenceStart & { readonly indent: number }) | null;
  /** Blank lines that are code if more code follows. */
  blanks: number;
}

interface OpenTable {
  readonly kind: 'table';
  readonly block: BlockOf<'table'>;
  readonly rows: string[][];
}

export interface Html {
  readonly kind: 'html';
  readonly nesting: Nesting;
  readonly lines: string[];
  readonly start: HtmlStart;
  /** The number of open tables. */
  tables: number;
}

/** A block that the next line may continue. */
export type Leaf = Paragraph | Code | OpenTable | Html;

export const CODE_INDENT = 4;

export function codeLeaf(nesting: Nesting, fence: Code['fence']): Code {
  const lines: string[] = [];
  const block: Code['block'] = { kind: 'code', nesting, lines, language: fence?.language ?? '' };
  return { kind: 'code', block, lines, fence, blanks: 0 };
}

export function htmlLeaf(nesting: Nesting, line: string, start: HtmlStart): Leaf {
  return { kind: 'html', nesting, lines: [line], start, tables: countTables(line) };
}

export function tableLeaf(nesting: Nesting, header: string, alignments: readonly Alignment[]): Leaf {
  const rows: string[][] = [];
  const block: OpenTable['block'] = { kind: 'table', nesting, header: splitRow(header), alignments, rows };
  return { kind: 'table', block, rows };
}

export interface SourceLine {
  readonly line: string;
  /** The start of its content, after the marks of containers. */
  readonly at: number;
  /** The line before tabs became spaces. */
  readonly raw: string;
}

/** @returns false when the line is not part of the code, null when it ends the code */
export function feedCode(leaf: Code, { line, at, raw }: SourceLine): boolean | null {
  const { fence, lines } = leaf;
  const indent = countSpaces(line, at);
  if (fence !== null) {
    if (indent < CODE_INDENT && closesFence(line.slice(at + indent), fence.run)) return null;
    lines.push(at + fence.indent === 0 ? raw : line.slice(at + Math.min(indent, fence.indent)));
    return true;
  }
  if (at + indent >= line.length) {
    leaf.blanks += 1;
    return true;
  }
  if (indent < CODE_INDENT) return false;
  for (; leaf.blanks > 0; leaf.blanks -= 1) lines.push('');
  lines.push(line.slice(at + CODE_INDENT));
  return true;
}

/**
 * @param mayBeTable a table may continue over blank lines, because its cells are read as Markdown
 * @returns false when the line is not part of the HTML, null when it is the last one
 */
export function feedHtml(leaf: Html, { line, at }: SourceLine, mayBeTable: boolean): boolean | null {
  const isBlank = at + countSpaces(line, at) >= line.length;
  if (isBlank && leaf.start.endsOn === null && !(leaf.tables > 0 && mayBeTable)) return false;
  leaf.lines.push(line.slice(at));
  leaf.tables += countTables(line);
  return leaf.start.endsOn?.(line) === true ? null : true;
}

/** The number of HTML tables that begin on a line, minus those that end. */
function countTables(line: string): number {
  let count = 0;
  if (line.includes('<')) {
    for (const [tag] of line.matchAll(/<\/?table\b/gi)) count += tag.startsWith('</') ? -1 : 1;
  }
  return count;
}

/** Turns a finished block into blocks for writing. */
export function blocksOf(leaf: Leaf, definitions: Map<string, string>, changes: ChangeCounts): Block[] {
  if (leaf.kind === 'paragraph') return paragraphBlocks(leaf, 0, definitions, changes);
  return [
    leaf.kind === 'html' ? { kind: 'html', nesting: leaf.nesting, html: leaf.lines.join('\n') } : leaf.block,
  ];
}

/**
 * Takes the definitions from the start of a paragraph.
 * @returns the text after them
 */
export function takeText(leaf: Paragraph, definitions: Map<string, string>): string {
  const text = leaf.lines.join('\n');
  const from = takeDefinitions(text, definitions);
  if (from > 0) leaf.isDefinition = true;
  if (from >= text.length) leaf.lines.length = 0;
  return text.slice(from);
}

/** @param heading 0 for text that is not a heading */
export function paragraphBlocks(
  leaf: Paragraph,
  heading: number,
  definitions: Map<string, string>,
  changes: ChangeCounts,
): Block[] {
  const { nesting } = leaf;
  let text = takeText(leaf, definitions);
  if (leaf.isDefinition) changes.add('reference');
  const gap: Block[] = leaf.isDefinition ? [{ kind: 'gap' }] : [];
  if (text === '') return gap;
  const alert = leaf.isAlert ? /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(text) : null;
  if (alert !== null) {
    changes.add('alert');
    const name = alert[1] ?? '';
    const title = `**${name.charAt(0).toUpperCase()}${name.slice(1).toLowerCase()}**`;
    text = `${title}\n${text.slice(alert[0].length)}`.trimEnd();
  } else if (nesting.beginsItem && /^\[[ x]\][ \t]/i.test(text)) {
    changes.add('task');
    text = `${text.charAt(1) === ' ' ? '☐' : '☑'} ${text.slice(3).trimStart()}`;
  }
  return [...gap, { kind: 'text', nesting, text, heading, isDiscordMarkup: false }];
}
