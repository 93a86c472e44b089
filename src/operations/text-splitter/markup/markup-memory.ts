import { CodeRuns } from './code-runs.ts';
import { DelimiterRuns, Doubts, Marks, Tokens } from './markup.ts';
import { NextRuns } from './next-runs.ts';
import { OpenBrackets } from './open-brackets.ts';
import { OpenStyles } from './open-styles.ts';

/** What the markup of a text is written to; one text after another can use it. */
export class MarkupMemory {
  readonly tokens = new Tokens();
  readonly runs = new DelimiterRuns();
  readonly brackets = new OpenBrackets();
  readonly codeRuns = new CodeRuns();
  readonly nextRuns = new NextRuns();
  readonly marks = new Marks();
  readonly doubts = new Doubts();
  readonly openStyles = new OpenStyles();

  /** @param length of the next text */
  clear(length: number): void {
    this.tokens.clear(length >> 3);
    this.runs.clear(length >> 1);
    this.brackets.clear();
    this.marks.clear(length >> 2);
    this.doubts.clear(0);
    this.openStyles.clear(0);
  }
}
