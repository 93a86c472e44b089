import type { Style } from '../read/inline.ts';
import { textTooLong } from './converted-text.ts';
import {
  holdsUnderscore,
  isEndedBy,
  italicMark,
  type OpenStyle,
  runsTogether,
  type Span,
} from './open-styles.ts';

/** Ends a URL in Discord, or may follow one in a sentence. */
const AFTER_URL = /^[\s<>\]?!.,:;'")]/;

/** Separates marks that would join. */
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * A text with styles while it is written: a whole text, or that of a link. White space at the ends of a style is left
 * outside, because next to it some marks are text for Discord. Marks are written with the next text, so that spans of
 * one style that touch become one.
 */
export class StyledText {
  readonly #lengthMax: number;
  /** The styles that are open, from the outermost. */
  readonly #open: OpenStyle[] = [];
  /** The styles whose marks are written. Those that are no longer open are closed with the next text. */
  readonly #spans: Span[] = [];
  /** Joined at the end. A string that is built by appending keeps an object for each piece in V8. */
  #pieces: string[] = [];
  #length = 0;
  #unescapable = '';
  #isAfterUrl = false;

  /** @param lengthMax the longest text that may be written */
  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  get lengthLeft(): number {
    return this.#lengthMax - this.#length;
  }

  /** Its code, tokens and URLs, whose characters may end styles and cannot be escaped. */
  get unescapable(): string {
    return this.#unescapable;
  }

  /** True when the last piece is a URL, which the text that is written next would become part of. */
  get isAfterUrl(): boolean {
    return this.#isAfterUrl && this.#countKept(this.#open) === this.#spans.length;
  }

  /**
   * @param unescapable the parts that cannot be escaped. Styles that they would end are interrupted
   * @throws Problem text_too_long, as do all methods that write
   */
  add(text: string, unescapable = ''): void {
    const shown = text.trimStart();
    const italics = this.#spans.find(({ style }) => style === 'emphasis');
    const end = this.#open.findIndex((each) => isEndedBy(each, text, unescapable, italics));
    const styles = end < 0 ? this.#open : this.#open.slice(0, end);
    this.#unescapable += unescapable;
    if (shown !== text) {
      this.#closeFrom(this.#countKept(styles), ' ');
      this.#push(text.slice(0, text.length - shown.length));
    }
    if (shown === '') return;
    this.#switchTo(styles, shown.charAt(0));
    // Without the space, two pieces of inline code would become one.
    if (shown.startsWith('`') && this.#pieces.at(-1)?.endsWith('`') === true) this.append(' ');
    this.#push(shown);
    for (const span of this.#spans)
      if (span.mark === '_' && unescapable.includes('*')) span.mustUseUnderscore = true;
  }

  addToken(text: string): void {
    this.add(text, text);
    this.#isAfterUrl = /^https?:/i.test(text);
  }

  /** Adds the label of a link, without the link. */
  addLabel(text: StyledText): void {
    const url = text.#isAfterUrl ? text.#pieces.pop() : undefined;
    this.add(text.#pieces.join(''), text.#unescapable);
    if (url !== undefined) this.addToken(url);
  }

  /** Adds a text right after the last piece, even when that is a URL. */
  append(text: string): void {
    this.#isAfterUrl = false;
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length > this.#lengthMax) throw textTooLong();
    for (const span of this.#spans) span.cannotUseUnderscore ||= holdsUnderscore(text);
  }

  /** Opens a style. It is written only if text follows. */
  open(style: Style, mark: string): void {
    this.#open.push({ style, mark });
  }

  /**
   * Ends a style. Those within it continue after it.
   * @returns false when it is not open in this text
   */
  close(style: Style): boolean {
    const index = this.#open.findLastIndex((each) => each.style === style);
    if (index >= 0) this.#open.splice(index, 1);
    return index >= 0;
  }

  /** Continues the styles that are still open at the end of a link's label. */
  continueStylesOf(inner: StyledText): void {
    this.#open.push(...inner.#open);
  }

  /** @returns the whole text, with the marks that close all open styles */
  end(): string {
    this.#closeFrom(0, '');
    return this.#pieces.join('');
  }

  /** Changes each piece that is written, such as the brackets in the label of a link. Lengths must stay the same. */
  replaceInPieces(change: (text: string) => string): void {
    this.#pieces = this.#pieces.map(change);
  }

  endsInVisibleChar(): boolean {
    return /\S$/.test(this.#pieces.at(-1) ?? '');
  }

  #push(text: string): void {
    if (text === '') return;
    if (this.#isAfterUrl && !AFTER_URL.test(text)) this.#wrapUrl();
    this.append(text);
  }

  /** Puts the last URL in angle brackets, so that it ends where it should. */
  #wrapUrl(): void {
    this.#pieces.push(`<${this.#pieces.pop() ?? ''}>`);
    this.#length += 2;
  }

  /** The number of spans that continue in these styles. */
  #countKept(styles: readonly OpenStyle[]): number {
    const end = this.#spans.findIndex(({ style }, at) => style !== styles[at]?.style);
    return end < 0 ? this.#spans.length : end;
  }

  /** Closes and opens spans for a text that has these styles and begins with the character `next`. */
  #switchTo(styles: readonly OpenStyle[], next: string): void {
    const kept = this.#countKept(styles);
    const opened = styles.slice(kept);
    const closed = this.#spans[kept]?.style;
    const [first] = opened;
    const isItalicsAfterBold = closed === 'strong' && first?.style === 'emphasis';
    const mark = first?.style === 'emphasis' ? '*' : (first?.mark ?? next);
    const spaces = this.#closeFrom(kept, isItalicsAfterBold ? '_' : mark.charAt(0));
    const followsClosedSpan = closed !== undefined && spaces === '';
    for (const each of opened) {
      const isFirst = each === first && followsClosedSpan;
      const before = this.#pieces.at(-1)?.at(-1) ?? '';
      this.#push(each.mark);
      this.#spans.push({
        ...each,
        piece: this.#pieces.length - 1,
        before,
        followsClosingStars: isFirst && isItalicsAfterBold,
        cannotUseUnderscore: isFirst && closed === 'strike',
        mustUseUnderscore: false,
      });
    }
  }

  /**
   * Closes spans, before the white space at the end of the written text.
   * @param next the character that follows
   * @returns that white space
   */
  #closeFrom(index: number, next: string): string {
    if (index >= this.#spans.length) return '';
    const spaces = this.#removeTrailingSpaces();
    const closed = this.#spans.splice(index).toReversed();
    const after = spaces === '' ? next : ' ';
    let marks = '';
    for (const [at, span] of closed.entries()) {
      const outer = closed[at + 1];
      // Discord parses the content of a style on its own. Only the closing underscore of italics could be read together
      // with the marks of the style around it.
      const inner = outer?.mark === '__' && span.style === 'emphasis' ? '_' : '';
      marks += this.#closingMark(span, outer === undefined ? after : inner);
    }
    this.append(marks + spaces);
    return spaces;
  }

  #closingMark(span: Span, after: string): string {
    const mark = span.style === 'emphasis' ? italicMark(span, after) : span.mark;
    const separator = mark === '*' && span.followsClosingStars ? ZERO_WIDTH_SPACE : '';
    this.#pieces[span.piece] = separator + mark;
    this.#length += separator.length;
    return runsTogether(mark, after) ? mark + ZERO_WIDTH_SPACE : mark;
  }

  /** Removes and returns the white space at the end of the written text. */
  #removeTrailingSpaces(): string {
    const pieces = this.#pieces;
    let spaces = '';
    let shown = '';
    while (shown === '' && pieces.length > 0) {
      const last = pieces.pop() ?? '';
      shown = last.trimEnd();
      spaces = last.slice(shown.length) + spaces;
    }
    // Without the space after it, a lone backslash would escape the next character.
    if (spaces !== '' && /(?<!\\)(?:\\\\)*\\$/.test(shown)) shown += '\\';
    pieces.push(shown);
    this.#length -= spaces.length;
    return spaces;
  }
}
