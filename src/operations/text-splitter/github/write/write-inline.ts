import type { Inline, InlineContext, Run, Style } from '../read/inline.ts';
import { StyledText } from './styled-text.ts';
import { LinkWriter, roundBrackets } from './write-links.ts';

const MARKS: Readonly<Record<Style, string>> = { strong: '**', emphasis: '*', strike: '~~', underline: '__' };

interface WriteOptions {
  readonly context: Pick<InlineContext, 'changes' | 'pairableChars'>;
  /** All of the text is bold. */
  readonly isBold?: boolean;
  /** Replaces a line break. */
  readonly lineBreak: string;
  /** The longest text that may be written. It is needed because a few characters can refer to a long URL. */
  readonly lengthMax: number;
}

/**
 * Writes parts of a text in Discord's Markdown.
 * @throws Problem text_too_long
 */
export function writeInline(parts: readonly Inline[], options: WriteOptions): string {
  return new InlineWriter(parts, options).write();
}

class InlineWriter {
  readonly #parts: readonly Inline[];
  readonly #options: WriteOptions;
  readonly #depths: Record<Style, number> = { strong: 0, emphasis: 0, strike: 0, underline: 0 };
  readonly #whole: StyledText;
  readonly #links: LinkWriter;

  constructor(parts: readonly Inline[], options: WriteOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#whole = new StyledText(options.lengthMax);
    this.#links = new LinkWriter(this.#whole, options.context.changes);
  }

  write(): string {
    if (this.#options.isBold === true) this.#toggle('strong', false, MARKS.strong);
    for (const part of this.#parts) this.#writePart(part);
    this.#links.end();
    return this.#whole.end();
  }

  #writePart(part: Inline): void {
    const links = this.#links;
    switch (part.kind) {
      case 'text':
        links.text.add(this.#escapeText(part.text));
        return;
      case 'literal':
        links.text.add(links.isMasked && /[[\]]/.test(part.text) ? roundBrackets(part.text) : part.source);
        return;
      case 'token':
        links.addToken(part.text);
        return;
      case 'code':
        this.#options.context.changes.add('code_ticks', part.separators);
        links.text.add(links.isMasked ? roundBrackets(part.source) : part.source, part.source);
        return;
      case 'break':
        links.text.add(links.isOpen ? ' ' : this.#options.lineBreak);
        return;
      case 'image':
        links.addImage(part.alt, part.url);
        return;
      case 'style':
        if (part.isPaired) this.#toggle(part.style, part.isEnd, MARKS[part.style]);
        return;
      case 'link':
        links.open(part);
        return;
      case 'linkEnd':
        links.close(part.start);
        return;
      case 'run':
        this.#writeRun(part);
    }
  }

  #escapeText(text: string): string {
    if (text.length < 2) return text;
    const shown =
      text.includes('www.') && !this.#links.isOpen
        ? text.replaceAll(/(^|[\s*_~(])www\.(?=[\w-]+\.\w)/g, '$1http://www.')
        : text;
    if (!shown.includes('||') && !shown.includes('~~~')) return shown;
    this.#options.context.changes.add('escape');
    // Three tildes and more are text on GitHub. In Discord two of them open a style.
    return shown.replaceAll(/\|\||~{3,}/g, (chars) => chars.replaceAll(/./g, String.raw`\$&`));
  }

  #writeRun(run: Run): void {
    const isDoubled = run.char === '_' && run.length >= 2;
    if (run.closes !== null) {
      for (const style of run.closes) this.#toggle(style, true, '');
    }
    const { text } = this.#links;
    // Beside a URL a backslash would be part of it, as the character itself is.
    if (run.rest > 0 && text.isAfterUrl) text.append(run.char.repeat(run.rest));
    else if (run.rest > 0) text.add(this.#writeRest(run));
    if (run.opens === null) return;
    for (const style of run.opens.toReversed()) this.#toggle(style, false, markOf(run, style));
    if (isDoubled) this.#options.context.changes.add('strong');
    if (run.length === 1 && run.opens.includes('strike')) this.#options.context.changes.add('strikethrough');
  }

  /** Escapes marks that GitHub does not pair, but Discord may, even across a blank line. */
  #writeRest({ char, rest, canOpen, canClose, isInWord }: Run): string {
    const isMark =
      rest > 1 || (char === '*' && (canOpen || canClose || isInWord)) || (char === '_' && !isInWord);
    if (!isMark || !this.#options.context.pairableChars.has(char)) return char.repeat(rest);
    this.#options.context.changes.add('escape');
    return `\\${char}`.repeat(rest);
  }

  /** Opens or ends a style. Its marks are not written inside the same style, because Discord would end it there. */
  #toggle(style: Style, isEnd: boolean, mark: string): void {
    const depth = this.#depths[style];
    this.#depths[style] = isEnd ? Math.max(0, depth - 1) : depth + 1;
    if (depth !== (isEnd ? 1 : 0)) return;
    if (isEnd) this.#links.closeStyle(style);
    else this.#links.text.open(style, mark);
  }
}

function markOf({ char }: Run, style: Style): string {
  return style === 'emphasis' ? char : MARKS[style];
}
