import type { Answer, SuccessBody } from '../../operations/operation.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { Endpoint } from '../locals.ts';

export interface Readiness {
  /** Null when this process should get requests. */
  readonly problem: Problem | null;
  /** The state of each part of the service, as a word or a small object. It holds no secrets. */
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

/** Answers 200 while the process runs. Restart the process when this does not answer. */
export function answerLive(): Answer<SuccessBody> {
  return { value: { ok: true, status: 'live' } };
}

/**
 * Answers 200 while this process can take requests.
 * @throws Problem `storage_unavailable`, `shutting_down` …
 */
export async function answerReady(
  readStatus: () => Promise<{ readonly readiness: Readiness }>,
): Promise<Answer<SuccessBody>> {
  const { problem, parts } = (await readStatus()).readiness;
  if (problem !== null) throw problem;
  return { value: { ok: true, status: 'ready', ...parts } };
}
