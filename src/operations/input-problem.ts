import type * as z from 'zod';

import { Problem, type ProblemCode } from '../problem.ts';

const SINGLE_VALUE_ISSUES = new Set<string | undefined>(['invalid_type', 'invalid_value']);

interface IssueDetails {
  readonly problem: ProblemCode;
  readonly hint?: string;
}

/** Parameters that turn a custom zod issue into this problem. */
export function issueDetails(
  problem: ProblemCode,
  hint?: string,
): { params: IssueDetails & Record<string, unknown> } {
  return { params: hint === undefined ? { problem } : { problem, hint } };
}

/**
 * Turns the first issue into a Problem that names the field. Messages of issues are predicates ("must be ..."); the
 * name of the field becomes their subject.
 * @param given the input as it was checked, without absent fields
 * @param hintWhenMissing for a field that is missing
 */
export function problemFromIssues(
  issues: readonly z.core.$ZodIssue[],
  given: Readonly<Record<string, unknown>>,
  hintWhenMissing?: string,
): Problem {
  const issue = issues[0];
  const field = issue?.path[0];
  if (issue === undefined || typeof field !== 'string') return new Problem('bad_request', { cause: issues });
  if (given[field] === undefined) {
    return new Problem('missing_field', {
      field,
      error: `The field ${field} is missing.`,
      ...(hintWhenMissing === undefined ? {} : { hint: hintWhenMissing }),
    });
  }
  // A list in place of one value can only come from a query string that names the field twice.
  if (Array.isArray(given[field]) && issue.path.length === 1 && SINGLE_VALUE_ISSUES.has(issue.code)) {
    return new Problem('invalid_field', {
      field,
      error: `The field ${field} must be given once, as one value.`,
    });
  }
  const details = issue.code === 'custom' ? (issue.params as Partial<IssueDetails> | undefined) : undefined;
  return new Problem(details?.problem ?? 'invalid_field', {
    field,
    error: `The field ${field} ${issue.message}.`,
    ...(details?.hint === undefined ? {} : { hint: details.hint }),
  });
}
