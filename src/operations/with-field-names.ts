import { Problem, type ProblemCode } from '../kernel/problem.ts';

/** The caller's field that a problem is about, by its code. */
export type FieldsByCode = Partial<Record<ProblemCode, string | ((problem: Problem) => string)>>;

/** Names the caller's field in a problem of code that knows no fields, such as what looks up ids or fetches images. */
export async function withFieldNames<Value>(fields: FieldsByCode, answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    const named = error instanceof Problem && error.field === null ? fields[error.code] : undefined;
    if (!(error instanceof Problem) || named === undefined) throw error;
    const { key, values, cause, retryAfterSeconds } = error;
    const field = typeof named === 'string' ? named : named(error);
    throw new Problem(key, { values, field, cause, retryAfterSeconds });
  }
}
