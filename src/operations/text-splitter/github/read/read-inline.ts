import { writeInlineCode } from '../../chars/code-ticks.ts';
import { readEntity } from './entities.ts';
import { InlineParts } from './inline-parts.ts';
import { escapeMarks, type Inline, type InlineContext } from './inline.ts';
import { readFormula } from './latex.ts';
import { endOfBareUrl } from './link-target.ts';
import { AngleReader } from './read-angles.ts';
import { LinkReader } from './read-links.ts';
import { CodeSpans } from './runs.ts';

/** Up to a special character or a URL. */
const TEXT = /(?:(?!https?:\/\/[^\s<>\]`])[^\\`*_~[\]!<&$\n])+/iy;

const BREAK = { kind: 'break' } as const;

/** Longer text is read in parts. Marks that are this far apart are not meant as a pair. */
export const INLINE_LENGTH_MAX = 16_384;

/** Splits the text into parts that are read one by one. */
export function partsOf(text: string): string[] {
  if (text.length <= INLINE_LENGTH_MAX) return [text];
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const limit = from + INLINE_LENGTH_MAX;
    let to = text.length;
    if (limit < text.length) {
      // Search a window, because searching back in a whole text without spaces would read all of it.
      const window = text.slice(from, limit + 1);
      const lineEnd = window.lastIndexOf('\n');
      const space = window.lastIndexOf(' ');
      const end = lineEnd > 0 ? lineEnd : space;
      to = end > 0 ? from + end + 1 : limit;
    }
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}

/** Reads the marks inside a paragraph, heading or cell. */
export function readInline(text: string, context: InlineContext): Inline[] {
  return new InlineReader(text, context).read();
}

class InlineReader {
  readonly #text: string;
  readonly #parts: InlineParts;
  readonly #links: LinkReader;
  readonly #angles: AngleReader;
  readonly #spans: CodeSpans;

  constructor(text: string, context: InlineContext) {
    this.#text = text;
    this.#parts = new InlineParts(text, context);
    this.#links = new LinkReader(this.#parts);
    this.#angles = new AngleReader(this.#parts, readInline);
    this.#spans = new CodeSpans(text);
  }

  read(): Inline[] {
    const parts = this.#parts;
    for (let at = 0; at < this.#text.length;) {
      TEXT.lastIndex = at;
      if (TEXT.test(this.#text)) at = parts.addText(at, TEXT.lastIndex);
      else {
        const end = endOfBareUrl(this.#text, at);
        at = end < 0 ? this.#readChar(at) : parts.addToken(at, end);
      }
    }
    parts.closeFrom(0);
    return parts.list;
  }

  /** @returns where reading continues, like all methods below */
  #readChar(at: number): number {
    const text = this.#text;
    const parts = this.#parts;
    switch (text.charAt(at)) {
      case '\\':
        return this.#readBackslash(at);
      case '`':
        return this.#readCode(at);
      case '*':
        return parts.addRun('*', at);
      case '_':
        return parts.addRun('_', at);
      case '~':
        return parts.addRun('~', at);
      case '!':
        return text.charAt(at + 1) === '[' ? this.#links.openImage(at) : parts.addText(at, at + 1);
      case '[':
        return this.#links.open(at);
      case ']':
        return this.#links.close(at);
      case '<':
        return this.#angles.read(at);
      case '&':
        return this.#readReference(at);
      case '$':
        return this.#readFormula(at) ?? parts.addText(at, at + 1);
      case '\n':
        parts.add(BREAK);
        return at + 1;
      default:
        return parts.addText(at, at + 1);
    }
  }

  #readBackslash(at: number): number {
    const next = this.#text.charAt(at + 1);
    if (next === '\n') return at + 1;
    if (next === '(' || next === '[') {
      const end = this.#readFormula(at);
      if (end !== null) return end;
    }
    if (/[!-/:-@[-`{-~]/.test(next)) {
      this.#parts.add({ kind: 'literal', text: next, source: `\\${next}` });
      return at + 2;
    }
    // Discord would treat any character after it as escaped.
    const isShown = next === '' || /[\s0-9A-Za-z]/.test(next);
    this.#parts.add({ kind: 'literal', text: '\\', source: isShown ? '\\' : '\\\\' });
    return at + 1;
  }

  #readCode(at: number): number {
    const text = this.#text;
    const run = /`+/.exec(text.slice(at))?.[0] ?? '';
    const from = at + run.length;
    const to = this.#spans.findEnd(run, from);
    if (to < 0) {
      // Discord may pair it with a back-tick in another paragraph.
      this.#parts.context.changes.add('escape');
      this.#parts.add({ kind: 'literal', text: run, source: String.raw`\``.repeat(run.length) });
      return from;
    }
    const end = to + run.length;
    const source = text.slice(at, end).replaceAll('\n', ' ');
    const body = text.slice(from, to).replaceAll('\n', ' ');
    const isPadded = body.startsWith(' ') && body.endsWith(' ') && body.trim() !== '';
    const code = isPadded ? body.slice(1, -1) : body;
    // In Discord, three back-ticks make a block even within a line.
    const isTyped = run.length <= 2 && !code.includes('```');
    this.#parts.add({
      kind: 'code',
      text: code,
      ...(isTyped ? { source, separators: 0 } : writeInlineCode(code)),
    });
    return end;
  }

  #readReference(at: number): number {
    const entity = readEntity(this.#text, at);
    if (entity === null) return this.#parts.addText(at, at + 1);
    const { value, end } = entity;
    if (value === '\n') {
      this.#parts.add(BREAK);
      return end;
    }
    if (/^[\t\f\r]$/.test(value)) {
      this.#parts.add({ kind: 'literal', text: ' ', source: ' ' });
      return end;
    }
    const isMark = /^[\\*_~`|[\]<>#@-]$/.test(value);
    this.#parts.add({ kind: 'literal', text: value, source: isMark ? `\\${value}` : value });
    return end;
  }

  #readFormula(at: number): number | null {
    const { context } = this.#parts;
    const formula = context.readsLatex ? readFormula(this.#text, at) : null;
    if (formula === null) return null;
    if (formula.text === null) {
      this.#parts.add({ kind: 'code', text: formula.source, ...writeInlineCode(formula.source) });
    } else {
      context.changes.add('formula');
      this.#parts.add({ kind: 'literal', text: formula.text, source: escapeMarks(formula.text) });
    }
    return formula.end;
  }
}
