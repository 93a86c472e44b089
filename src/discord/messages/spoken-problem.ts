import { Problem, type ProblemCode, type ProblemOptions } from '../../problem.ts';
import { wordsFor, type ProblemKey, type Values } from '../locales/words.ts';

/** A problem of Discord alone: its sentence is found by a key when it is shown, in the language of its user. */
export class SpokenProblem extends Problem {
  readonly key: ProblemKey;
  readonly values: Values;

  private constructor(code: ProblemCode, key: ProblemKey, values: Values, options: ProblemOptions) {
    super(code, { error: wordsFor('en').problem(key, values).error, ...options });
    this.key = key;
    this.values = values;
  }

  /** @param values for the places of its sentences */
  static of(code: ProblemCode, key: ProblemKey, values: Values = {}): SpokenProblem {
    return new SpokenProblem(code, key, values, {});
  }

  /** The same with the internal cause, which goes to the log. */
  because(cause: unknown): SpokenProblem {
    return new SpokenProblem(this.code, this.key, this.values, { cause });
  }
}
