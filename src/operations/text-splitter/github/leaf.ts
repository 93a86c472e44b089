import type { Alignment, Block, CodePoints, Definition, Place } from './block.ts';
import type { ChangeCounts } from './change-counts.ts';
import { readHtmlBlocks } from './html-blocks.ts';
import type { HtmlEnd } from './html-start.ts';
import { takeDefinitions } from './read-definition.ts';

/** The block that the next line may go on with. */
export type Leaf =
  | {
      readonly kind: 'paragraph';
      readonly place: Place;
      readonly lines: string[];
      /** Where each line ends in the source. */
      readonly ends: number[];
      readonly isAlert: boolean;
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
      readonly end: HtmlEnd;
      /** Tables that are open. */
      tables: number;
    };

/** A header without names, for rows whose own header is too long to be repeated. */
const BARE_HEADER = ['| |', '|-|'];
const RUN_LENGTH_MAX = 100;
const RAW_HTML = /^<(?:!--|\?|!\[CDATA\[|(?:script|pre|style|textarea)(?=[\s>]|$)|![a-z])/i;

/** Lines of source with which a block is opened again. @param lengthMax of a table's header */
export function openingOf(leaf: Leaf, lengthMax: number): readonly string[] {
  switch (leaf.kind) {
    case 'fence':
      return [openingOfFence(leaf)];
    case 'table':
      return leaf.source.join('').length > lengthMax ? BARE_HEADER : leaf.source;
    case 'html': {
      if (leaf.tables > 0) return ['<table>'];
      const raw = RAW_HTML.exec(leaf.lines[0] ?? '')?.[0] ?? '';
      return raw === '' ? [] : [/[a-z]$/i.test(raw) ? `${raw}>` : raw];
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
      return readHtmlBlocks(leaf.lines.join('\n'), place, changes);
  }
}

function paragraphBlocks(
  { place, lines, isAlert }: Leaf & { kind: 'paragraph' },
  definitions: Map<string, Definition>,
  changes: ChangeCounts,
): Block[] {
  const whole = lines.join('\n');
  const from = takeDefinitions(whole, definitions);
  if (from > 0) changes.add('reference');
  const gap: Block[] = from > 0 ? [{ kind: 'gap' }] : [];
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
