import type { ChangeCounts } from '../change-counts.ts';
import { imageName } from './link-target.ts';

export type Style = 'strong' | 'emphasis' | 'strike' | 'underline';

/** A run of `*`, `_` or `~`, and the styles that it opens and closes. */
export interface Run {
  readonly kind: 'run';
  readonly char: '*' | '_' | '~';
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** The number of its characters that are not paired. */
  rest: number;
  /** The styles that end here and those that begin here, the innermost first, or null. */
  closes: Style[] | null;
  opens: Style[] | null;
  /** Between two letters or digits, the second of them in ASCII, because Discord counts only those. */
  readonly isInWord: boolean;
}

/** The start of a link. */
export interface LinkStart {
  readonly kind: 'link';
  readonly url: string;
}

/** A part of a text. Styles of HTML have `isPaired` once both their tags were read. */
export type Inline =
  /** Source text in which every character means itself. */
  | { readonly kind: 'text'; readonly text: string }
  /** Text that is written as `source`: an escape such as `\*`, or a character reference. */
  | { readonly kind: 'literal'; readonly text: string; readonly source: string }
  /** URLs and Discord's own tokens, unchanged. */
  | { readonly kind: 'token'; readonly text: string }
  /** `separators` is the number of invisible characters in the source. */
  | { readonly kind: 'code'; readonly text: string; readonly source: string; readonly separators: number }
  | { readonly kind: 'break' }
  | { readonly kind: 'image'; readonly alt: string; readonly url: string }
  | { readonly kind: 'style'; readonly style: Style; readonly isEnd: boolean; isPaired: boolean }
  | { readonly kind: 'linkEnd'; readonly start: LinkStart }
  | LinkStart
  | Run;

/** Inline marks may refer to these. */
export interface InlineContext {
  /** URLs by normalised label. */
  readonly definitions: ReadonlyMap<string, string>;
  readonly footnotes: ReadonlyMap<string, unknown>;
  /** Characters that the text has more than once, so Discord may pair some that GitHub does not. */
  readonly pairableChars: ReadonlySet<Run['char']>;
  readonly readsLatex: boolean;
  readonly changes: ChangeCounts;
}

export function escapeMarks(text: string): string {
  return text.replaceAll(/[\\*_~`|]/g, String.raw`\$&`);
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The mark of a footnote, in the text and before the footnote itself. */
export function footnoteMark(label: string): string {
  return /^\d{1,3}$/.test(label)
    ? label.replaceAll(/\d/g, (digit) => DIGITS.charAt(Number(digit)))
    : `[${label}]`;
}

/** The shown text, without styles. */
export function plainText(parts: readonly Inline[]): string {
  return parts.map(plainPart).join('');
}

function plainPart(part: Inline): string {
  switch (part.kind) {
    case 'text':
    case 'token':
    case 'literal':
    case 'code':
      return part.text;
    case 'break':
      return '\n';
    case 'image':
      return imageName(part.alt, part.url);
    case 'run':
      return part.char.repeat(part.rest);
    default:
      return '';
  }
}
