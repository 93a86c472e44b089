/** How a block is nested: inside a quote, in a list item, or both. */
export interface Nesting {
  readonly isQuoted: boolean;
  /** Before the first line: the marker of the list item that begins with the block, or its indentation. */
  readonly first: string;
  /** Before the other lines. */
  readonly rest: string;
  readonly beginsItem: boolean;
}

export type Alignment = 'left' | 'right';

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly alignments: readonly Alignment[];
}

/** A part of a text in GitHub's Markdown. Texts and cells are source, whose inline marks are not read yet. */
export type Block =
  | {
      readonly kind: 'text';
      readonly nesting: Nesting;
      readonly text: string;
      /** 0 for text that is not a heading. */
      readonly heading: number;
      /** True when its lines begin with Discord's own marks, made from HTML. */
      readonly isDiscordMarkup: boolean;
    }
  | {
      readonly kind: 'code';
      readonly nesting: Nesting;
      readonly lines: readonly string[];
      readonly language: string;
    }
  /** HTML is parsed only when it is written. */
  | { readonly kind: 'html'; readonly nesting: Nesting; readonly html: string }
  | ({ readonly kind: 'table'; readonly nesting: Nesting } & Table)
  | { readonly kind: 'blank'; readonly isQuoted: boolean }
  /** The position of removed content. The blank lines around it become one. */
  | { readonly kind: 'gap' }
  | Footnote;

export interface Footnote {
  readonly kind: 'footnote';
  readonly label: string;
  readonly blocks: readonly Block[];
}

/** A complete text after reading. */
export interface Document {
  readonly blocks: readonly Block[];
  /** Footnotes by label, in the order of the text. */
  readonly footnotes: ReadonlyMap<string, Footnote>;
  /** Targets of reference links by normalised label. */
  readonly definitions: ReadonlyMap<string, string>;
}
