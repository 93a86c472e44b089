import { Problem, type ProblemCode, type ProblemOptions } from '../../problem.ts';
import type { ProblemKey, ProblemValues, Values } from '../texts/text.ts';
import { wordsFor } from '../texts/words.ts';

/** A problem of Discord alone: its sentence is found by a key when it is shown, in the language of its user. */
export class SpokenProblem extends Problem {
  readonly key: ProblemKey;
  readonly values: Values;

  private constructor(code: ProblemCode, key: ProblemKey, values: Values, options: ProblemOptions) {
    super(code, { error: wordsFor('en').problem(key, values).error, ...options });
    this.key = key;
    this.values = values;
  }

  static of<Key extends ProblemKey>(
    code: ProblemCode,
    key: Key,
    ...[values]: ProblemValues<Key>
  ): SpokenProblem {
    return new SpokenProblem(code, key, values ?? {}, {});
  }

  /** The same with the internal cause, which goes to the log. */
  because(cause: unknown): SpokenProblem {
    return new SpokenProblem(this.code, this.key, this.values, { cause });
  }
}
