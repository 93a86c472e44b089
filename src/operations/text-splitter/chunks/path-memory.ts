import { CutTable } from '../cuts/cut-table.ts';
import { ChoiceColumns } from './choose-cuts.ts';

/** What the search for a path writes to; one text after another can use it. */
export class PathMemory {
  readonly cuts = new CutTable();
  readonly columns = new ChoiceColumns();
}
