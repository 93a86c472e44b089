/** The changes of the conversion that are reported. See text-splitter in docs/api.md. */
export const CHANGE_KINDS = [
  'alert',
  'code_block',
  'code_ticks',
  'comment',
  'escape',
  'footnote',
  'formula',
  'heading',
  'html',
  'image',
  'link_removed',
  'list_marker',
  'nested_quote',
  'reference',
  'rule',
  'strikethrough',
  'strong',
  'table',
  'table_link_removed',
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
