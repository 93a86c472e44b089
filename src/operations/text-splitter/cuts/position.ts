import type { LineStart } from '../markup/line-start.ts';
import type { Styles } from './seam.ts';

/** Everything that decides what a cut looks like where the walk is. */
export interface Position {
  at: number;
  /** The next token and the next mark. */
  token: number;
  mark: number;
  styles: Styles;
  line: LineStart;
  lineStart: number;
  /** False right after an opening mark: a cut there would leave an empty pair. */
  hasContent: boolean;
  /** In a `>>> ` quote, which goes on to the end of the text. */
  inRest: boolean;
}
