import type { Style } from '../read/inline.ts';
import { textTooLong } from './converted-text.ts';
import { OpenStyles } from './open-styles.ts';

/** What ends an address in Discord, and what a sentence may have after one. */
const AFTER_ADDRESS = /^[\s<>\]?!.,:;'")]/;

/**
 * A text with styles while it is written: a whole text, or that of a link. White space at the ends of a style is left
 * outside, because next to it some marks are text for Discord.
 */
export class StyledText {
  readonly #lengthMax: number;
  readonly #styles = new OpenStyles();
  /** Joined at the end: a string that grows character by character is made of as many objects, which live long. */
  #pieces: string[] = [];
  #length = 0;
  #held = '';
  #isAfterAddress = false;

  /** @param lengthMax the most that may be written */
  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  get room(): number {
    return this.#lengthMax - this.#length;
  }

  /** The characters of its code, tokens and addresses that end styles; a text that takes it over needs them. */
  get held(): string {
    return this.#held;
  }

  /** True when the last piece is an address, which would swallow what is written next. */
  get isAfterAddress(): boolean {
    return this.#isAfterAddress;
  }

  /**
   * @param held characters in it end the styles that have the same ones
   * @throws Problem text_too_long, as everything does that writes
   */
  add(text: string, held = ''): void {
    const shown = text.trimStart();
    if (held !== '') {
      this.#closeWith(this.#styles.suspend(held));
      this.#held += held;
    }
    this.#push(text.slice(0, text.length - shown.length));
    if (shown === '') return;
    this.#push(this.#styles.begin(held));
    this.#push(shown);
  }

  addToken(text: string): void {
    this.add(text, text);
    this.#isAfterAddress = /^https?:/i.test(text);
  }

  /** Takes over the text of a link, without the link. */
  take(text: StyledText): void {
    const address = text.#isAfterAddress ? text.#pieces.pop() : undefined;
    this.add(text.#pieces.join(''), text.#held);
    if (address !== undefined) this.addToken(address);
  }

  /** Right after the last piece, even when that is an address. */
  addBeside(text: string): void {
    this.#isAfterAddress = false;
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length > this.#lengthMax) throw textTooLong();
  }

  /** A style that shows nothing is not written. */
  open(style: Style, mark: string): void {
    this.#styles.open(style, mark);
  }

  /** @returns false when it is not open in this text */
  close(style: Style): boolean {
    const marks = this.#styles.close(style);
    this.#closeWith(marks ?? '');
    return marks !== null;
  }

  /** Opens the styles that were left open in the text of a link. */
  adopt(inner: StyledText): void {
    this.#styles.adopt(inner.#styles);
  }

  /** @returns all of it, with the marks that close what is open */
  end(): string {
    this.#closeWith(this.#styles.closeAll());
    return this.#pieces.join('');
  }

  replace(change: (text: string) => string): void {
    this.#pieces = [change(this.#pieces.join(''))];
  }

  endsInSign(): boolean {
    return /\S$/.test(this.#pieces.at(-1) ?? '');
  }

  #push(text: string): void {
    if (text === '') return;
    if (this.#isAfterAddress && !AFTER_ADDRESS.test(text)) this.#wrapAddress();
    this.addBeside(text);
  }

  /** Angle brackets make an address end where it should. */
  #wrapAddress(): void {
    this.#pieces.push(`<${this.#pieces.pop() ?? ''}>`);
    this.#length += 2;
  }

  #closeWith(marks: string): void {
    if (marks !== '') this.addBeside(marks + this.#takeBlanks());
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
}
