import type { ProblemCode } from '../problem.ts';

/** The image's server failed, and its address came from the caller: users' dead links are no warnings. */
const CALLERS_OWN: ReadonlySet<ProblemCode> = new Set(['image_fetch_failed', 'image_timeout']);

/**
 * Whether an operator should look at an outcome. A 5xx is mostly ours or Discord's; what a caller did wrong is
 * nothing to look at.
 */
export function isWarning(status: number, code: ProblemCode | null): boolean {
  return status >= 500 && (code === null || !CALLERS_OWN.has(code));
}
