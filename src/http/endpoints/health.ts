import type { Answer, SuccessBody } from '../../operations/operation.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { Endpoint } from '../locals.ts';

export interface Readiness {
  /** Null when this process should get requests. */
  readonly problem: Problem | null;
  /** The state of each part: a short word, or a small object without secrets. */
  readonly parts: Readonly<Record<string, unknown>>;
}

export const LIVE = {
  name: 'health-live',
  path: '/health/live',
  bucket: 'guild',
} as const satisfies Endpoint;
export const READY = {
  name: 'health-ready',
  path: '/health/ready',
  bucket: 'guild',
} as const satisfies Endpoint;

/** The process is running. Restart it when this does not answer. */
export function answerLive(): Answer<SuccessBody> {
  return { value: { ok: true, status: 'live' } };
}

/**
 * Send this process no requests while this does not answer 200.
 * @throws Problem `storage_unavailable`, `shutting_down` …
 */
export async function answerReady(
  readStatus: () => Promise<{ readonly readiness: Readiness }>,
): Promise<Answer<SuccessBody>> {
  const { problem, parts } = (await readStatus()).readiness;
  if (problem !== null) throw problem;
  return { value: { ok: true, status: 'ready', ...parts } };
}
