import type * as z from 'zod';

import { Problem, type ProblemTextKey, type Values } from '../kernel/problem.ts';

const SINGLE_VALUE_ISSUES = new Set<string | undefined>(['invalid_type', 'invalid_value']);

interface ProblemSpec {
  readonly key: ProblemTextKey;
  readonly values: Values;
}

/** A zod message can only be a string, so each of ours is a key of this map. */
const problems = new Map<string, ProblemSpec>();

/**
 * Makes a message for a zod check. If the check fails, `problemFromIssues` turns the message back into this problem.
 * @param values for the placeholders of the sentence. Only from definitions, never from input: messages are kept
 * forever
 */
export function problemMessage(key: ProblemTextKey, values: Values = {}): string {
  const message = JSON.stringify([key, values]);
  problems.set(message, { key, values });
  return message;
}

/**
 * @param given the checked input, without absent fields
 */
export function problemFromIssues(
  issues: readonly z.core.$ZodIssue[],
  given: Readonly<Record<string, unknown>>,
  whenMissing: ProblemTextKey = 'missing_field/field',
): Problem {
  const issue = issues[0];
  const field = issue?.path[0];
  if (issue === undefined || typeof field !== 'string') return new Problem('bad_request', { cause: issues });
  if (given[field] === undefined) return new Problem(whenMissing, { field });
  // Only a query string that repeats the field can make a list of a single value.
  if (Array.isArray(given[field]) && issue.path.length === 1 && SINGLE_VALUE_ISSUES.has(issue.code)) {
    return new Problem('invalid_field/once', { field });
  }
  const { key, values } = problems.get(issue.message) ?? { key: 'invalid_field', values: {} };
  return new Problem(key, { field, values });
}
