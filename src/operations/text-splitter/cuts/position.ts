import type { LineStart } from '../markup/line-start.ts';
import type { Styles } from './seam.ts';

/** Everything that decides what a cut looks like where the walk is. */
export interface Position {
  readonly at: number;
  /** The next token and the next style that opens. */
  readonly token: number;
  readonly style: number;
  readonly styles: Styles;
  readonly line: LineStart;
  readonly lineStart: number;
  /** False right after an opening mark: a cut there would leave an empty pair. */
  readonly hasContent: boolean;
  /** In a `>>> ` quote, which goes on to the end of the text. */
  readonly inRest: boolean;
}
