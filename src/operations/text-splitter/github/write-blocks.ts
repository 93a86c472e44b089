import type { Block, Document, Place } from './block.ts';
import type { ConvertedText } from './converted-text.ts';
import type { InlineContext } from './inline.ts';
import { formulaText } from './latex.ts';
import { readInline } from './read-inline.ts';
import { noteMark } from './shown-text.ts';
import { firstPrefixOf, prefixOf, writeCode } from './write-code.ts';
import { writeInline } from './write-inline.ts';
import { type TableOptions, writeTable } from './write-table.ts';

/** Paragraphs that are longer are read in parts: no mark that an author meant reaches so far. */
const INLINE_LENGTH_MAX = 16_384;
const BLOCKS_PER_TURN = 64;
/** At the start of a line only Discord reads these as marks here: as Markdown of GitHub they would be blocks. */
const LINE_MARK = /^(?:#{1,3}|-#|>{1,3}|[-*]) /;

export function* writeDocument(
  { blocks, notes }: Document,
  out: ConvertedText,
  options: TableOptions,
): Generator<void> {
  yield* writeBlocks(blocks, out, options);
  for (const [label, inner] of notes) {
    const [first, ...others] = inner;
    if (first === undefined) continue;
    out.addGap();
    out.addBlank(false);
    const mark = `${noteMark(label)} `;
    const place: Place = { isQuoted: false, first: mark, rest: '', beginsItem: false };
    if (first.kind === 'text') yield* writeBlocks([{ ...first, place }, ...others], out, options);
    else
      yield* writeBlocks(
        [{ kind: 'text', place, text: '', heading: 0, isPrepared: true }, ...inner],
        out,
        options,
      );
    out.addGap();
  }
}

function* writeBlocks(blocks: readonly Block[], out: ConvertedText, options: TableOptions): Generator<void> {
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'table') yield* writeTable(block, block.place, out, options);
    else if (block.kind === 'text') yield* writeText(block, out, options.context);
    else if (block.kind === 'gap') out.addGap();
    else if (block.kind === 'blank') out.addBlank(block.isQuoted);
    else writeCodeOrFormula(block, out, options.context);
    if (index % BLOCKS_PER_TURN === 0) yield;
  }
}

function writeCodeOrFormula(
  { lines, language, place }: Block & { kind: 'code' },
  out: ConvertedText,
  { readsLatex, changes }: InlineContext,
): void {
  const formula = readsLatex && language === 'math' ? formulaText(lines.join('\n')) : null;
  if (formula === null) {
    writeCode(lines, language, place, out);
    return;
  }
  changes.add('formula');
  out.addLine(firstPrefixOf(place) + formula.replaceAll(/[\\*_~`|]/g, String.raw`\$&`));
}

function* writeText(
  block: Block & { kind: 'text' },
  out: ConvertedText,
  context: InlineContext,
): Generator<void> {
  const { heading, place } = block;
  const isBold = heading > 3;
  let text = '';
  for (const part of partsOf(block.text)) {
    text += writeInline(readInline(part, context), {
      changes: context.changes,
      isBold,
      lineBreak: heading > 0 ? ' ' : '\n',
    });
    yield;
  }
  const shown = text.trim();
  if (shown === '' && place.first.trim() === '') {
    out.addGap();
    return;
  }
  if (heading > 0) {
    out.addLine(firstPrefixOf(place) + (isBold ? `**${shown}**` : `${'#'.repeat(heading)} ${shown}`));
    return;
  }
  let prefix = firstPrefixOf(place);
  for (const line of shown.replaceAll(/\n\s*\n\s*\n+/g, '\n\n').split('\n')) {
    const isMark = !block.isPrepared && LINE_MARK.test(line);
    if (isMark) context.changes.add('escape');
    const content = block.isPrepared ? line.trimEnd() : line.trim();
    out.addLine(content === '' && prefix.trim() === '' ? '' : prefix + (isMark ? '\\' : '') + content);
    prefix = prefixOf(place);
  }
}

function partsOf(text: string): string[] {
  if (text.length <= INLINE_LENGTH_MAX) return [text];
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const limit = from + INLINE_LENGTH_MAX;
    let to = text.length;
    if (limit < text.length) {
      const lineEnd = text.lastIndexOf('\n', limit);
      const space = text.lastIndexOf(' ', limit);
      to = lineEnd > from ? lineEnd + 1 : space > from ? space + 1 : limit;
    }
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}
