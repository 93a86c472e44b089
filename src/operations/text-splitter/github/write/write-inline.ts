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

const MARKS: Readonly<Record<Style, string>> = { strong: '**', emphasis: '*', strike: '~~', underline: '__' };

interface OpenStyle {
  readonly style: Style;
  readonly mark: string;
}

interface WriteOptions {
  readonly context: Pick<InlineContext, 'changes' | 'partners'>;
  /** The text is in bold already. */
  readonly isBold?: boolean;
  /** Replaces a line break. */
  readonly lineBreak: string;
  /** Most that may be written. A few signs can refer to a long address. */
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
  readonly #depths: Record<Style, number>;
  /** Discord's `_` does not go around names with underscores. */
  readonly #hasNames: boolean;
  /** Styles that have begun, but have shown nothing yet. */
  #opening: OpenStyle[] = [];
  /** The same of what is around the open link. */
  #openingAround: OpenStyle[] = [];
  #link: LinkStart | null = null;
  /** The link has an address: brackets in its text would end it. */
  #isMasked = false;
  #label: string[] = [];
  #length = 0;
  /** Joined once: a string that grows sign by sign is as many objects, and they live long. */
  readonly #out: string[] = [];

  constructor(parts: readonly Inline[], options: WriteOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#depths = { strong: options.isBold === true ? 1 : 0, emphasis: 0, strike: 0, underline: 0 };
    this.#hasNames = parts.some((part) => part.kind === 'run' && part.sign === '_' && part.rest > 0);
  }

  write(): string {
    for (const part of this.#parts) this.#writePart(part);
    // A link of HTML that nobody closed.
    if (this.#link !== null) this.#closeLink(this.#link);
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
        this.#add(this.#isMasked ? withoutScheme(part.text) : part.text);
        return;
      case 'code':
        this.#add(this.#isMasked ? roundBrackets(part.source) : part.source);
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

  #add(text: string): void {
    const shown = this.#opening.length === 0 ? '' : text.trimStart();
    if (shown === '') {
      this.#push(text);
      return;
    }
    this.#push(text.slice(0, text.length - shown.length));
    for (const { mark } of this.#opening.splice(0)) this.#push(mark);
    this.#push(shown);
  }

  /** Where text goes: into the label of the open link, if there is one. */
  get #pieces(): string[] {
    return this.#link === null ? this.#out : this.#label;
  }

  #push(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length > this.#options.lengthMax) throw textTooLong();
  }

  #escapeText(text: string): string {
    if (text.length < 2) return text;
    const shown = text.includes('www.')
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
      for (const style of run.closes) this.#toggle(style, true, this.#markOf(run, style));
    }
    if (run.rest > 0) this.#add(this.#writeRest(run));
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
    return style === 'emphasis' && run.sign === '_' && !this.#hasNames ? '_' : MARKS[style];
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
      this.#opening.push({ style, mark });
      return;
    }
    const opened = this.#opening.findIndex((each) => each.style === style);
    if (opened >= 0) this.#opening.splice(opened, 1);
    else this.#push(mark + this.#takeBlanks());
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
    else this.#add(`[${name}](${url})`);
  }

  #openLink(start: LinkStart): void {
    if (this.#link !== null) this.#closeLink(this.#link);
    this.#link = start;
    this.#openingAround = this.#opening.splice(0);
    this.#isMasked = start.url !== null && webUrl(start.url) !== null;
    this.#label = [];
  }

  #closeLink(start: LinkStart): void {
    if (this.#link !== start) return;
    const text = this.#label.join('');
    // The label is counted again when it is written.
    this.#length -= text.length;
    const label = text.trim();
    const url = start.url === null || label === '' ? null : webUrl(start.url);
    this.#link = null;
    this.#isMasked = false;
    this.#label = [];
    if (url === null) this.#options.context.changes.add('link_removed');
    const openingInside = this.#opening;
    this.#opening = this.#openingAround;
    this.#add(
      url === null ? text : withoutScheme(url) === label || url === label ? url : `[${label}](${url})`,
    );
    this.#opening.push(...openingInside);
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
