import {
  escapeMarks,
  type Inline,
  type InlineContext,
  type LinkStart,
  type Run,
  type Style,
} from '../read/inline.ts';
import { imageName, webUrl } from '../read/link-target.ts';
import { textTooLong } from './converted-text.ts';
import { OpenStyles } from './open-styles.ts';

const MARKS: Readonly<Record<Style, string>> = { strong: '**', emphasis: '*', strike: '~~', underline: '__' };

interface WriteOptions {
  readonly context: Pick<InlineContext, 'changes' | 'partners'>;
  /** All of the text is bold. */
  readonly isBold?: boolean;
  /** Replaces a line break. */
  readonly lineBreak: string;
  /** The most that may be written. A few characters can refer to a long address. */
  readonly lengthMax: number;
}

/**
 * Writes parts of a text in Discord's Markdown.
 * @throws Problem text_too_long
 */
export function writeInline(parts: readonly Inline[], options: WriteOptions): string {
  return new InlineWriter(parts, options).write();
}

/** What ends an address in Discord, and what a sentence may have after one. */
const AFTER_ADDRESS = /^[\s<>\]?!.,:;'")]/;

class InlineWriter {
  readonly #parts: readonly Inline[];
  readonly #options: WriteOptions;
  readonly #depths: Record<Style, number> = { strong: 0, emphasis: 0, strike: 0, underline: 0 };
  /** Italic stretches of underscores that hold an underscore which Discord would take for their end. */
  readonly #withLines: ReadonlySet<Run>;
  #open = new OpenStyles();
  /** The styles around the open link. */
  #around = this.#open;
  /** Styles around the open link that end inside it. */
  #endingAround: Style[] = [];
  #link: LinkStart | null = null;
  /** True when the link has an address: brackets in its text would end it. */
  #isMasked = false;
  #label: string[] = [];
  /** Signs in the label that count, as in a token. */
  #labelHeld = '';
  /** True when the last piece is an address, which would swallow what is written next. */
  #isAfterAddress = false;
  #length = 0;
  /** Joined at the end: a string that grows character by character is made of as many objects, which live long. */
  readonly #out: string[] = [];

  constructor(parts: readonly Inline[], options: WriteOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#withLines = findRunsWithLines(parts);
  }

  write(): string {
    if (this.#options.isBold === true) this.#toggle('strong', false, MARKS.strong);
    for (const part of this.#parts) this.#writePart(part);
    // A link of HTML that nobody closed.
    if (this.#link !== null) this.#closeLink(this.#link);
    this.#closeWith(this.#open.closeAll());
    return this.#out.join('');
  }

  #writePart(part: Inline): void {
    switch (part.kind) {
      case 'text':
        this.#add(this.#escapeText(part.text));
        return;
      case 'sign':
        this.#add(this.#isMasked && /[[\]]/.test(part.text) ? roundBrackets(part.text) : part.source);
        return;
      case 'token':
        this.#writeToken(part.text);
        return;
      case 'code':
        this.#options.context.changes.add('code_ticks', part.added);
        this.#add(this.#isMasked ? roundBrackets(part.source) : part.source, part.source);
        return;
      case 'break':
        this.#add(this.#link === null ? this.#options.lineBreak : ' ');
        return;
      case 'image':
        this.#writeImage(part.alt, part.url);
        return;
      case 'style':
        if (part.isPaired) this.#toggle(part.style, part.isEnd, MARKS[part.style]);
        return;
      case 'link':
        this.#openLink(part);
        return;
      case 'linkEnd':
        this.#closeLink(part.start);
        return;
      case 'run':
        this.#writeRun(part);
    }
  }

  #writeToken(text: string): void {
    const shown = this.#isMasked ? withoutScheme(text) : text;
    this.#add(shown, shown);
    this.#isAfterAddress = /^https?:/i.test(shown);
  }

  /** @param held characters in it end the styles that have the same ones */
  #add(text: string, held = ''): void {
    const shown = text.trimStart();
    if (held !== '') {
      this.#closeWith(this.#open.suspend(held));
      if (this.#link !== null) this.#labelHeld += held;
    }
    this.#push(text.slice(0, text.length - shown.length));
    if (shown === '') return;
    this.#push(this.#open.begin(held));
    this.#push(shown);
  }

  /** Where text goes: into the label of the open link, if there is one. */
  get #pieces(): string[] {
    return this.#link === null ? this.#out : this.#label;
  }

  #push(text: string): void {
    if (text === '') return;
    if (this.#isAfterAddress && !AFTER_ADDRESS.test(text)) this.#wrapAddress();
    this.#pushAsIs(text);
  }

  #pushAsIs(text: string): void {
    this.#isAfterAddress = false;
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length > this.#options.lengthMax) throw textTooLong();
  }

  /** Angle brackets make an address end where it should. */
  #wrapAddress(): void {
    this.#pieces.push(`<${this.#pieces.pop() ?? ''}>`);
    this.#length += 2;
  }

  /**
   * Writes marks that close styles right after the visible text, because next to white space some of them are text to
   * Discord.
   */
  #closeWith(marks: string): void {
    if (marks !== '') this.#pushAsIs(marks + this.#takeBlanks());
  }

  #escapeText(text: string): string {
    if (text.length < 2) return text;
    const shown =
      text.includes('www.') && this.#link === null
        ? text.replaceAll(/(^|[\s*_~(])www\.(?=[\w-]+\.\w)/g, '$1http://www.')
        : text;
    if (!shown.includes('||') && !shown.includes('~~~')) return shown;
    this.#options.context.changes.add('escape');
    // Three tildes and more are text on GitHub. In Discord two of them open a style.
    return shown.replaceAll(/\|\||~{3,}/g, (signs) => signs.replaceAll(/./g, String.raw`\$&`));
  }

  #writeRun(run: Run): void {
    const isDoubled = run.sign === '_' && run.length >= 2;
    if (run.closes !== null) {
      for (const style of run.closes) this.#toggle(style, true, '');
    }
    // Beside an address a backslash would be part of it, as the character itself is.
    if (run.rest > 0 && this.#isAfterAddress) this.#pushAsIs(run.sign.repeat(run.rest));
    else if (run.rest > 0) this.#add(this.#writeRest(run));
    if (run.opens === null) return;
    for (const style of run.opens.toReversed()) this.#toggle(style, false, this.#markOf(run, style));
    if (isDoubled) this.#options.context.changes.add('strong');
    if (run.length === 1 && run.opens.includes('strike')) this.#options.context.changes.add('strikethrough');
  }

  /** Marks without a partner on GitHub may find one in Discord, even across a blank line. */
  #writeRest({ sign, rest, canOpen, canClose, isInWord }: Run): string {
    const isMark =
      rest > 1 || (sign === '*' && (canOpen || canClose || isInWord)) || (sign === '_' && !isInWord);
    if (!isMark || !this.#options.context.partners.has(sign)) return sign.repeat(rest);
    this.#options.context.changes.add('escape');
    return `\\${sign}`.repeat(rest);
  }

  #markOf(run: Run, style: Style): string {
    return style === 'emphasis' && run.sign === '_' && !this.#withLines.has(run) ? '_' : MARKS[style];
  }

  /**
   * A style inside of itself is not written: Discord would end it there. Nor is one that shows nothing. White space
   * at the ends of a style is left outside: next to it, some marks are text for Discord.
   */
  #toggle(style: Style, isEnd: boolean, mark: string): void {
    const depth = this.#depths[style];
    this.#depths[style] = isEnd ? Math.max(0, depth - 1) : depth + 1;
    if (depth !== (isEnd ? 1 : 0)) return;
    if (!isEnd) {
      this.#open.open(style, mark);
      return;
    }
    const marks = this.#open.close(style);
    if (marks === null) this.#endingAround.push(style);
    else this.#closeWith(marks);
  }

  /** Takes the white space at the end of what is written. */
  #takeBlanks(): string {
    const pieces = this.#pieces;
    let blanks = '';
    let shown = '';
    while (shown === '' && pieces.length > 0) {
      const last = pieces.pop() ?? '';
      shown = last.trimEnd();
      blanks = last.slice(shown.length) + blanks;
    }
    // The blank after a lone backslash kept it from escaping what comes next.
    if (blanks !== '' && /(?<!\\)(?:\\\\)*\\$/.test(shown)) shown += '\\';
    pieces.push(shown);
    this.#length -= blanks.length;
    return blanks;
  }

  #writeImage(alt: string, source: string): void {
    this.#options.context.changes.add('image');
    const url = webUrl(source);
    const name = labelOf(imageName(alt, source));
    if (this.#link !== null) {
      // A picture in a link leads to the link's address, or without one, to the picture.
      if (this.#link.url !== null && !this.#isMasked && url !== null) {
        this.#link.url = url;
        this.#isMasked = true;
        this.#label = [roundBrackets(this.#label.join(''))];
      }
      this.#add(/\S$/.test(this.#label.at(-1) ?? '') ? ` ${name}` : name);
    } else if (url === null || name === '') this.#add(name);
    else this.#add(`[${name}](${url})`, url);
  }

  #openLink(start: LinkStart): void {
    if (this.#link !== null) this.#closeLink(this.#link);
    this.#link = start;
    this.#around = this.#open;
    this.#open = new OpenStyles();
    this.#isMasked = start.url !== null && webUrl(start.url) !== null;
    this.#label = [];
    this.#labelHeld = '';
  }

  #closeLink(start: LinkStart): void {
    if (this.#link !== start) return;
    this.#closeWith(this.#open.closeAll());
    const text = this.#label.join('');
    // The label is counted again when it is written.
    this.#length -= text.length;
    const label = text.trim();
    const url = start.url === null || label === '' ? null : webUrl(start.url);
    const inside = this.#open;
    this.#link = null;
    this.#isMasked = false;
    this.#label = [];
    this.#open = this.#around;
    if (url === null) {
      this.#options.context.changes.add('link_removed');
      this.#add(text, this.#labelHeld);
    } else if (withoutScheme(url) === label || url === label) this.#writeToken(url);
    else this.#add(`[${label}](${url})`, url + this.#labelHeld);
    for (const style of this.#endingAround.splice(0)) this.#closeWith(this.#open.close(style) ?? '');
    this.#open.adopt(inside);
  }
}

/**
 * Discord ends what an underscore opens at the next one, even in a name, an address or code. Finds the runs that open
 * italic stretches with such a one.
 */
function findRunsWithLines(parts: readonly Inline[]): ReadonlySet<Run> {
  const found = new Set<Run>();
  const open: { readonly run: Run; hasLine: boolean }[] = [];
  for (const part of parts) {
    const top = open.at(-1);
    if (top !== undefined && holdsLine(part)) top.hasLine = true;
    if (part.kind !== 'run') continue;
    for (let count = part.closes?.length ?? 0; count > 0; count -= 1) {
      const closed = open.pop();
      const around = open.at(-1);
      if (closed?.hasLine !== true) continue;
      found.add(closed.run);
      if (around !== undefined) around.hasLine = true;
    }
    for (let count = part.opens?.length ?? 0; count > 0; count -= 1) open.push({ run: part, hasLine: false });
  }
  return found;
}

function holdsLine(part: Inline): boolean {
  switch (part.kind) {
    case 'run':
      return part.sign === '_' && part.rest > 0;
    case 'style':
      return part.style === 'underline';
    case 'code':
      return part.source.includes('_');
    case 'token':
      return part.text.includes('_');
    case 'image':
    case 'link':
      return part.url?.includes('_') === true;
    default:
      return false;
  }
}

/** Labels that look like addresses are not shown as links. */
function withoutScheme(token: string): string {
  return token.replace(/^<(https?:.*)>$/is, '$1').replace(/^https?:\/\//i, '');
}

function roundBrackets(text: string): string {
  return text.replaceAll('[', '(').replaceAll(']', ')');
}

function labelOf(text: string): string {
  return escapeMarks(roundBrackets(text).replaceAll(/https?:\/\//gi, ''));
}
