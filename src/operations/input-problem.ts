import type * as z from 'zod';

import { Problem, type ProblemKey, type Values } from '../kernel/problem.ts';

const SINGLE_VALUE_ISSUES = new Set<string | undefined>(['invalid_type', 'invalid_value']);

interface Said {
  readonly key: ProblemKey;
  readonly values: Values;
}

/** zod accepts only a text as a message, so each of our messages is a key of this map. */
const said = new Map<string, Said>();

/**
 * A message for one of zod's checks, which turns into this problem.
 * @param values for the placeholders of the sentence, besides the name of the field. They may come from definitions
 * only, because every message is kept
 */
export function says(key: ProblemKey, values: Values = {}): string {
  const message = JSON.stringify([key, values]);
  said.set(message, { key, values });
  return message;
}

/**
 * Turns the first issue into a Problem that names the field.
 * @param given the input as it was checked, without absent fields
 * @param whenMissing the problem for a field that is missing
 */
export function problemFromIssues(
  issues: readonly z.core.$ZodIssue[],
  given: Readonly<Record<string, unknown>>,
  whenMissing: ProblemKey = 'missing_field/field',
): Problem {
  const issue = issues[0];
  const field = issue?.path[0];
  if (issue === undefined || typeof field !== 'string') return new Problem('bad_request', { cause: issues });
  if (given[field] === undefined) return new Problem(whenMissing, { field });
  // A list where one value is expected can only come from a query string that names the field twice.
  if (Array.isArray(given[field]) && issue.path.length === 1 && SINGLE_VALUE_ISSUES.has(issue.code)) {
    return new Problem('invalid_field/once', { field });
  }
  const { key, values } = said.get(issue.message) ?? { key: 'invalid_field', values: {} };
  return new Problem(key, { field, values });
}
