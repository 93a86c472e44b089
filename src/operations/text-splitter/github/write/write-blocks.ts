import type { Block, Footnote, Nesting } from '../read/block.ts';
import { escapeMarks, type InlineContext, footnoteMark } from '../read/inline.ts';
import { readHtmlBlocks } from '../read/html-blocks.ts';
import { formulaText } from '../read/latex.ts';
import { partsOf, readInline } from '../read/read-inline.ts';
import type { ConvertedText } from './converted-text.ts';
import { firstPrefixOf, prefixOf, writeCode } from './write-code.ts';
import { writeInline } from './write-inline.ts';
import { type TableOptions, writeTable } from './write-table.ts';

/** Discord's marks at the start of a line. Text that begins like one is escaped. */
const LINE_MARK = /^(?:#{1,3}|-#|>{1,3}|[-*]) /;

function writeFootnote({ label, blocks }: Footnote, out: ConvertedText, options: TableOptions): void {
  const [first, ...others] = blocks;
  if (first === undefined) return;
  out.addGap();
  out.addBlank(false);
  const nesting: Nesting = { isQuoted: false, first: `${footnoteMark(label)} `, rest: '', beginsItem: false };
  const mark: Block = { kind: 'text', nesting, text: '', heading: 0, isDiscordMarkup: true };
  const marked =
    first.kind === 'text' || first.kind === 'html' ? [{ ...first, nesting }, ...others] : [mark, ...blocks];
  writeBlocks(marked, out, options);
  out.addGap();
}

export function writeBlocks(blocks: readonly Block[], out: ConvertedText, options: TableOptions): void {
  for (const block of blocks) {
    switch (block.kind) {
      case 'table':
        writeTable(block, block.nesting, out, options);
        break;
      case 'text':
        writeText(block, out, options.context);
        break;
      case 'html':
        writeBlocks(readHtmlBlocks(block, options.context.changes), out, options);
        break;
      case 'code':
        writeCodeOrFormula(block, out, options.context);
        break;
      case 'footnote':
        writeFootnote(block, out, options);
        break;
      case 'blank':
        out.addBlank(block.isQuoted);
        break;
      default:
        out.addGap();
    }
  }
}

function writeCodeOrFormula(
  block: Block & { kind: 'code' },
  out: ConvertedText,
  { readsLatex, changes }: InlineContext,
): void {
  const formula = readsLatex && block.language === 'math' ? formulaText(block.lines.join('\n')) : null;
  if (formula === null) {
    writeCode(block, out, changes);
    return;
  }
  changes.add('formula');
  out.addLine(firstPrefixOf(block.nesting) + escapeMarks(formula));
}

function writeText(block: Block & { kind: 'text' }, out: ConvertedText, context: InlineContext): void {
  const { heading, nesting } = block;
  const isBold = heading > 3;
  const written: string[] = [];
  let length = 0;
  for (const part of partsOf(block.text)) {
    const parts = readInline(part, context);
    const lineBreak = heading > 0 ? ' ' : '\n';
    written.push(writeInline(parts, { context, isBold, lineBreak, lengthMax: out.lengthLeft - length }));
    length += written.at(-1)?.length ?? 0;
  }
  const shown = written.join('').trim();
  if (shown === '' && nesting.first.trim() === '') {
    out.addGap();
    return;
  }
  if (heading > 0) {
    out.addLine(firstPrefixOf(nesting) + (isBold ? shown : `${'#'.repeat(heading)} ${shown}`));
    return;
  }
  let prefix = firstPrefixOf(nesting);
  for (const line of shown.replaceAll(/\n\s*\n\s*\n+/g, '\n\n').split('\n')) {
    const isMark = !block.isDiscordMarkup && LINE_MARK.test(line);
    if (isMark) context.changes.add('escape');
    const content = block.isDiscordMarkup ? line.trimEnd() : line.trim();
    out.addLine(content === '' && prefix.trim() === '' ? '' : prefix + (isMark ? '\\' : '') + content);
    prefix = prefixOf(nesting);
  }
}
