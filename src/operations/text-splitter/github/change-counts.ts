/** What the conversion changes, as `changes` of the answer counts it. */
export const CHANGE_KINDS = [
  /** The kind of an alert, such as `[!NOTE]`, became a bold title. */
  'alert',
  /** Indented code or another fence became a fence of three back-ticks. */
  'code_block',
  /** An invisible character went between back-ticks in code, which would end it in Discord. */
  'code_ticks',
  /** A comment in HTML was left out. */
  'comment',
  /** A character that is text on GitHub got a backslash, because it could be a mark in Discord. */
  'escape',
  /** The mark of a footnote became plain text. */
  'footnote',
  /** A formula in LaTeX became characters. */
  'formula',
  /** A heading below the third level became bold. */
  'heading',
  /** A tag was left out or became Markdown, or the reasoning of a language model became a quote. */
  'html',
  /** An image became its text, with a link where there is a URL. */
  'image',
  /** A link that Discord cannot show became its text. */
  'link_removed',
  /** Another bullet or number was written before a list item. */
  'list_marker',
  /** A quote in a quote became part of the outer one. */
  'nested_quote',
  /** A link got the URL of its definition, or a definition was left out. */
  'reference',
  /** A horizontal rule became a blank line. */
  'rule',
  /** `~text~` became `~~text~~`. */
  'strikethrough',
  /** `__text__`, which Discord underlines, became `**text**`. */
  'strong',
  /** A table became a code block or a list. */
  'table',
  /** A link in a table in a code block became its text. */
  'table_link_removed',
  /** The box of a task became ☐ or ☑. */
  'task',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface Change {
  readonly kind: ChangeKind;
  readonly count: number;
}

/** Counts changes by kind. */
export class ChangeCounts {
  readonly #counts = new Map<ChangeKind, number>();

  add(kind: ChangeKind, count = 1): void {
    if (count === 0) return;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  addAll(others: ChangeCounts): void {
    for (const [kind, count] of others.#counts) this.add(kind, count);
  }

  /** In the order of CHANGE_KINDS, without kinds that did not occur. */
  list(): Change[] {
    return CHANGE_KINDS.flatMap((kind) => {
      const count = this.#counts.get(kind) ?? 0;
      return count === 0 ? [] : [{ kind, count }];
    });
  }
}
