import type { Alignment, Block, CodePoints, Definition, Place } from './block.ts';
import type { ChangeCounts } from './change-counts.ts';
import type { HtmlStart } from './html.ts';
import { closesFence, countSpaces, splitRow } from './line-kinds.ts';
import { takeDefinitions } from './link-target.ts';

/** The block that the next line may go on with. */
export type Leaf =
  | {
      readonly kind: 'paragraph';
      readonly place: Place;
      readonly lines: string[];
      /** Where each line ends in the source. */
      readonly ends: number[];
      readonly isAlert: boolean;
      /** Definitions were taken from its start. */
      isDefinition: boolean;
    }
  | {
      readonly kind: 'fence';
      readonly place: Place;
      readonly lines: string[];
      readonly run: string;
      readonly indent: number;
      readonly language: string;
      readonly points: CodePoints | null;
    }
  | {
      readonly kind: 'indented';
      readonly place: Place;
      readonly lines: string[];
      blanks: number;
      readonly points: CodePoints | null;
    }
  | {
      readonly kind: 'table';
      readonly place: Place;
      /** The lines of the header and under it. */
      readonly source: readonly [header: string, underline: string];
      readonly header: readonly string[];
      readonly alignments: readonly Alignment[];
      readonly rows: string[][];
    }
  | {
      readonly kind: 'html';
      readonly place: Place;
      readonly lines: string[];
      readonly start: HtmlStart;
      /** Tables that are open. */
      tables: number;
    };

export const CODE_INDENT = 4;
export function htmlLeaf(place: Place, line: string, start: HtmlStart): Leaf {
  return { kind: 'html', place, lines: [line], start, tables: countTables(line) };
}

/** @param source the lines of the header and under it */
export function tableLeaf(
  place: Place,
  source: readonly [header: string, underline: string],
  alignments: readonly Alignment[],
): Leaf {
  return { kind: 'table', place, source, header: splitRow(source[0]), alignments, rows: [] };
}

/** A header without names, for rows whose own header is too long to be repeated. */
const BARE_HEADER = ['| |', '|-|'];
const RUN_LENGTH_MAX = 100;

/** Lines of source with which a block is opened again. @param lengthMax of a table's header */
export function openingOf(leaf: Leaf, lengthMax: number): readonly string[] {
  switch (leaf.kind) {
    case 'fence':
      return [openingOfFence(leaf)];
    case 'table':
      return leaf.source.join('').length > lengthMax ? BARE_HEADER : leaf.source;
    case 'html': {
      const opening = leaf.tables > 0 ? '<table>' : leaf.start.opening;
      return opening === '' ? [] : [opening];
    }
    default:
      return [];
  }
}

export function openingOfFence({
  run,
  language,
}: {
  readonly run: string;
  readonly language: string;
}): string {
  return run.slice(0, RUN_LENGTH_MAX) + language;
}

interface CodeLine {
  readonly line: string;
  /** Where its content begins, after the marks of containers. */
  readonly at: number;
  /** As it was before tabs became blanks. */
  readonly raw: string;
  /** Where it begins in the text. */
  readonly start: number;
}

/** @returns false when the line is not part of the code, null when it ends it */
export function feedCode(
  leaf: Leaf & { kind: 'fence' | 'indented' },
  { line, at, raw, start }: CodeLine,
): boolean | null {
  const indent = countSpaces(line, at);
  if (leaf.kind === 'fence') {
    if (indent < CODE_INDENT && closesFence(line.slice(at + indent), leaf.run)) return null;
    if (at === 0 && leaf.indent === 0) leaf.lines.push(raw);
    else leaf.lines.push(line.slice(at + Math.min(indent, leaf.indent)));
    leaf.points?.starts.push(start);
    return true;
  }
  if (at + indent >= line.length) {
    leaf.blanks += 1;
    return true;
  }
  if (indent < CODE_INDENT) return false;
  for (; leaf.blanks > 0; leaf.blanks -= 1) {
    leaf.lines.push('');
    leaf.points?.starts.push(-1);
  }
  leaf.lines.push(line.slice(at + CODE_INDENT));
  leaf.points?.starts.push(start);
  return true;
}

/**
 * @param mayBeTable a table may go on over blank lines: its cells are read as Markdown
 * @returns false when the line is not part of the HTML, null when it is the last one
 */
export function feedHtml(
  leaf: Leaf & { kind: 'html' },
  line: string,
  at: number,
  mayBeTable: boolean,
): boolean | null {
  const isBlank = at + countSpaces(line, at) >= line.length;
  if (isBlank && leaf.start.endsOn === null && !(leaf.tables > 0 && mayBeTable)) return false;
  leaf.lines.push(line.slice(at));
  leaf.tables += countTables(line);
  return leaf.start.endsOn?.(line) === true ? null : true;
}

/** How many HTML tables begin on a line, less those that end. */
function countTables(line: string): number {
  let count = 0;
  if (line.includes('<')) {
    for (const [tag] of line.matchAll(/<\/?table\b/gi)) count += tag.startsWith('</') ? -1 : 1;
  }
  return count;
}

/** What a block that is read to its end becomes. */
export function blocksOf(leaf: Leaf, definitions: Map<string, Definition>, changes: ChangeCounts): Block[] {
  const { place } = leaf;
  switch (leaf.kind) {
    case 'paragraph':
      return paragraphBlocks(leaf, definitions, changes);
    case 'fence':
      return [{ kind: 'code', place, lines: leaf.lines, language: leaf.language, points: leaf.points }];
    case 'indented':
      return [{ kind: 'code', place, lines: leaf.lines, language: '', points: leaf.points }];
    case 'table': {
      changes.add('table');
      const { header, rows, alignments } = leaf;
      return [{ kind: 'table', place, header, rows, alignments }];
    }
    default:
      return [{ kind: 'html', place, html: leaf.lines.join('\n') }];
  }
}

/** More lines without an end are no definition, or are read with the rest of the paragraph. */
const DEFINITION_LINES_MAX = 32;

/** Takes the lines of a paragraph that are definitions and nothing else, before a line that may begin the next one. */
export function takeLines(leaf: Leaf & { kind: 'paragraph' }, definitions: Map<string, Definition>): void {
  if (leaf.lines.length > DEFINITION_LINES_MAX || leaf.lines[0]?.startsWith('[') !== true) return;
  const source = leaf.lines.join('\n');
  if (takeDefinitions(source, definitions) < source.length) return;
  leaf.lines.length = 0;
  leaf.ends.length = 0;
  leaf.isDefinition = true;
}

function paragraphBlocks(
  { place, lines, isAlert, isDefinition }: Leaf & { kind: 'paragraph' },
  definitions: Map<string, Definition>,
  changes: ChangeCounts,
): Block[] {
  const whole = lines.join('\n');
  const from = takeDefinitions(whole, definitions);
  const isReference = from > 0 || isDefinition;
  if (isReference) changes.add('reference');
  const gap: Block[] = isReference ? [{ kind: 'gap' }] : [];
  if (from >= whole.length) return gap;
  let text = whole.slice(from);
  const alert = isAlert ? /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(text) : null;
  if (alert !== null) {
    changes.add('alert');
    const name = alert[1] ?? '';
    const title = `**${name.charAt(0).toUpperCase()}${name.slice(1).toLowerCase()}**`;
    text = `${title}\n${text.slice(alert[0].length)}`.trimEnd();
  } else if (place.beginsItem && /^\[[ x]\][ \t]/i.test(text)) {
    changes.add('task');
    text = `${text.charAt(1) === ' ' ? '☐' : '☑'} ${text.slice(3).trimStart()}`;
  }
  return [...gap, { kind: 'text', place, text, heading: 0, isPrepared: false }];
}
