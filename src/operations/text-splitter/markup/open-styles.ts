import { IntRecords } from './int-records.ts';

const CLOSE = 0;
const CLOSE_RUN = 1;
const LENGTH = 2;

/** The styles that are open, from the outermost to the innermost, which can be read. */
export class OpenStyles extends IntRecords {
  /** Where the closing mark starts, the run that it is in, and its length; the run is -1 when no style is open. */
  close = 0;
  closeRun = -1;
  length = 0;

  constructor() {
    super(3);
  }

  override clear(expected: number): void {
    super.clear(expected);
    this.closeRun = -1;
  }

  push(close: number, closeRun: number, length: number): void {
    const style = this.add();
    this.set(style, CLOSE, close);
    this.set(style, CLOSE_RUN, closeRun);
    this.set(style, LENGTH, length);
    this.close = close;
    this.closeRun = closeRun;
    this.length = length;
  }

  pop(): void {
    const outer = this.count - 2;
    this.shorten(this.count - 1);
    if (outer < 0) {
      this.closeRun = -1;
      return;
    }
    this.close = this.get(outer, CLOSE);
    this.closeRun = this.get(outer, CLOSE_RUN);
    this.length = this.get(outer, LENGTH);
  }
}
