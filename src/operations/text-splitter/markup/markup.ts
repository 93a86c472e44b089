/**
 * A token that stays whole if it fits a chunk: a mention, custom emoji, timestamp, guild navigation or `<url>`; a URL;
 * a link.
 */
interface PlainToken {
  readonly kind: 'angle' | 'url' | 'link';
  readonly start: number;
  readonly end: number;
}

/** Inline code, also a code block that opens and closes on one line, or a fence. */
export interface CodeToken {
  readonly kind: 'code' | 'fence';
  readonly start: number;
  readonly end: number;
  /** Number of back-ticks or tildes that open it. */
  readonly run: number;
  /** A fence can be cut at line breaks within `bodyStart … bodyEnd`, inline code anywhere. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** Written after the run when a fence is opened again. */
  readonly language: string;
}

export type Token = PlainToken | CodeToken;

/** Marks of a style that pair: `mark` opens it at `start` and closes it at `close`. */
export interface Style {
  readonly mark: string;
  readonly start: number;
  readonly close: number;
}

export interface Markup {
  /** In the order of the text, never one within another. */
  readonly tokens: readonly Token[];
  /** In the order of their start. A style that begins within another ends within it. */
  readonly styles: readonly Style[];
}

export const NO_MARKUP: Markup = { tokens: [], styles: [] };
