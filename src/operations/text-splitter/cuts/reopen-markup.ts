/** The text written at a cut, to close marks and to open them again. */
export interface Reopening {
  readonly suffix: string;
  readonly prefix: string;
  readonly suffixLength: number;
  readonly prefixLength: number;
}

export const NO_REOPENING: Reopening = { suffix: '', prefix: '', suffixLength: 0, prefixLength: 0 };

/** The innermost open style, linked to the style around it, or null. Never changed, only replaced. */
export interface OpenStyle {
  readonly mark: string;
  /** The position of its closing mark. */
  readonly close: number;
  /** True when it was opened within a quote. */
  readonly isQuoted: boolean;
  readonly outer: Styles;
  /** The number of open styles, this one included. */
  readonly depth: number;
}

export type Styles = OpenStyle | null;

export function someStyle(styles: Styles, test: (style: OpenStyle) => boolean): boolean {
  for (let style = styles; style !== null; style = style.outer) if (test(style)) return true;
  return false;
}

interface OpenCode {
  /** The opening run, back-ticks or tildes. */
  readonly run: string;
  readonly language: string;
  /** Length of the whole line that opens a fence. */
  readonly openingLength: number;
  readonly isFence: boolean;
}

/** All open markup at a cut: it decides which suffix and prefix are added. */
export interface OpenMarkup {
  readonly styles: Styles;
  /** `> `, `>>> ` or empty. It begins the next chunk. */
  readonly quote: string;
  readonly heading: string;
  readonly code: OpenCode | null;
  /** Follows the reopened marks: a line break if the text begins with a block, which needs its own line. */
  readonly lead: string;
}

/** Closes and reopens the markup at cuts. A reopening that does not fit is omitted, because a chunk must fit. */
export class MarkupReopener {
  readonly #capacity: number;
  readonly #isEnabled: boolean;

  /** @param capacity length of a chunk without the additions to each */
  constructor(capacity: number, isEnabled: boolean) {
    this.#capacity = capacity;
    this.#isEnabled = isEnabled;
  }

  make(markup: OpenMarkup): Reopening {
    const { styles, quote, heading, code, lead } = markup;
    if (!this.#isEnabled) return NO_REOPENING;
    if (styles === null && quote === '' && heading === '' && code === null) return NO_REOPENING;
    let open = '';
    let close = '';
    for (let style = styles; style !== null; style = style.outer) {
      open = style.mark + open;
      close += style.mark;
    }
    open = quote + heading + open;
    if (code === null) return this.#fit(open + lead, close) ?? this.#fit(quote, '') ?? NO_REOPENING;
    if (!code.isFence) {
      return (
        this.#fit(open + code.run + lead, code.run + close) ?? this.#fit(code.run, code.run) ?? NO_REOPENING
      );
    }
    const end = `\n${quote === '> ' ? quote : ''}${code.run}${close}`;
    const language = code.openingLength * 4 > this.#capacity ? '' : code.language;
    return (
      this.#fit(`${open}${code.run}${language}\n${lead}`, end) ??
      this.#fit(`${open}${code.run}\n${lead}`, end) ??
      this.#fit(`${code.run}\n${lead}`, `\n${code.run}`) ??
      NO_REOPENING
    );
  }

  /** At least half of each chunk must be the text's own. */
  #fit(prefix: string, suffix: string): Reopening | null {
    const [prefixLength, suffixLength] = [prefix.length, suffix.length];
    return (prefixLength + suffixLength) * 2 <= this.#capacity
      ? { prefix, suffix, prefixLength, suffixLength }
      : null;
  }
}
