import type * as z from 'zod';

import { Problem, type ProblemKey, type Values } from '../problem.ts';

const SINGLE_VALUE_ISSUES = new Set<string | undefined>(['invalid_type', 'invalid_value']);

interface Said {
  readonly key: ProblemKey;
  readonly values: Values;
}

/** zod takes a text for a message and nothing else: each of ours names one of these. */
const said = new Map<string, Said>();

/**
 * The message of a check of zod's, which becomes this problem.
 * @param values for the places of the sentence, beside the name of the field; as many as there are definitions
 */
export function says(key: ProblemKey, values: Values = {}): string {
  const message = JSON.stringify([key, values]);
  said.set(message, { key, values });
  return message;
}

/**
 * Turns the first issue into a Problem that names the field.
 * @param given the input as it was checked, without absent fields
 * @param whenMissing what is said of a field that is missing
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
  // A list in place of one value can only come from a query string that names the field twice.
  if (Array.isArray(given[field]) && issue.path.length === 1 && SINGLE_VALUE_ISSUES.has(issue.code)) {
    return new Problem('invalid_field/once', { field });
  }
  const { key, values } = said.get(issue.message) ?? { key: 'invalid_field', values: {} };
  return new Problem(key, { field, values });
}
