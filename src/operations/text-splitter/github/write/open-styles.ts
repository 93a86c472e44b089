import type { Style } from '../read/inline.ts';

interface OpenStyle {
  readonly style: Style;
  readonly mark: string;
}

/** The styles that are open, from the outermost. The innermost ones may have shown nothing yet: they are not written. */
export class OpenStyles {
  #styles: OpenStyle[] = [];
  #written = 0;

  open(style: Style, mark: string): void {
    this.#styles.push({ style, mark });
  }

  /**
   * Ends a style. Those within it go on after it.
   * @returns the marks to write; null when it is not open here
   */
  close(style: Style): string | null {
    const index = this.#styles.findLastIndex((each) => each.style === style);
    if (index < 0) return null;
    const marks = this.#closeFrom(index);
    this.#styles.splice(index, 1);
    return marks;
  }

  /**
   * Ends the styles that a token would end, since it holds their characters. They go on after it.
   * @param held the characters of the token that count
   * @returns the marks to write
   */
  suspend(held: string): string {
    const index = this.#findConflict(held);
    return index < 0 ? '' : this.#closeFrom(index);
  }

  /**
   * @param held see `suspend`
   * @returns the marks to write before a text or a token
   */
  begin(held: string): string {
    const index = this.#findConflict(held);
    const to = index < 0 ? this.#styles.length : index;
    const marks = this.#styles.slice(this.#written, to).map(({ mark }) => mark);
    this.#written = Math.max(this.#written, to);
    return marks.join('');
  }

  /** Takes over the styles that were left open within a link. */
  adopt(inner: OpenStyles): void {
    this.#styles.push(...inner.#styles);
  }

  /** @returns the marks to write at the end of everything, as of a link */
  closeAll(): string {
    return this.#closeFrom(0);
  }

  #closeFrom(index: number): string {
    const marks = this.#styles.slice(index, this.#written).map(({ mark }) => mark);
    this.#written = Math.min(this.#written, index);
    return marks.reverse().join('');
  }

  #findConflict(held: string): number {
    return held === '' ? -1 : this.#styles.findIndex(({ mark }) => held.includes(mark));
  }
}
