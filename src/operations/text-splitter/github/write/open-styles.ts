import type { Style } from '../read/inline.ts';

/** A style that is open. The mark of italics is the one that its author typed, but another one may be written. */
export interface OpenStyle {
  readonly style: Style;
  readonly mark: string;
}

/** An open style whose opening mark is written. */
export interface Span extends OpenStyle {
  /** Index of the piece that holds the opening mark. */
  readonly piece: number;
  /** The character before the opening mark. */
  readonly before: string;
  /** True when the opening mark directly follows the stars that close another style. */
  readonly followsClosingStars: boolean;
  /** True when an underscore cannot open these italics, or would be closed inside them. */
  cannotUseUnderscore: boolean;
  /** True when a star would be closed inside these italics. */
  mustUseUnderscore: boolean;
}

const WORD = /[\p{L}\p{N}_]/u;

/** True when a text has an underscore that ends italics in Discord. */
export function holdsUnderscore(text: string): boolean {
  return text.includes('_') && text.replaceAll(/\\./gs, '').includes('_');
}

/**
 * True when a text would end a style, because it has the same characters.
 * @param unescapable the parts of the text that cannot be escaped
 * @param span of these italics, if they are written
 */
export function isEndedBy(
  { style, mark }: OpenStyle,
  text: string,
  unescapable: string,
  span: Span | undefined,
): boolean {
  if (style !== 'emphasis' || mark === '*') return unescapable.includes(mark);
  if (!unescapable.includes('*')) return span?.mustUseUnderscore === true && holdsUnderscore(text);
  return span?.cannotUseUnderscore === true || holdsUnderscore(text);
}

/**
 * The mark for italics. Where stars would run together with those of another style, it is an underscore if Discord
 * reads that.
 * @param after the character after the closing mark
 */
export function italicMark(
  { mark, before, followsClosingStars, cannotUseUnderscore, mustUseUnderscore }: Span,
  after: string,
): string {
  if (mustUseUnderscore) return '_';
  const prefersUnderscore = mark === '_' || followsClosingStars || after === '*';
  return prefersUnderscore && !cannotUseUnderscore && !WORD.test(before) && !WORD.test(after) ? '_' : '*';
}

/** True when Discord would not close a style at `mark` because of the character after it. */
export function runsTogether(mark: string, after: string): boolean {
  if (mark === '_') return WORD.test(after);
  return after === (mark === '__' || mark === '~~' ? '_' : '*');
}
