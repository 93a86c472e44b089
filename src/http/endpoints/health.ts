import type { Problem } from '../../problem.ts';
import type { Answer, SuccessBody } from '../../operations/operation.ts';

export interface Readiness {
  /** Null when this process should get requests. */
  readonly problem: Problem | null;
  /** State by part, each a short word or a small object without secrets. */
  readonly parts: Readonly<Record<string, unknown>>;
}

/** The process runs; restart it when this does not answer. */
export function answerLive(): Answer<SuccessBody> {
  return { value: { ok: true, status: 'live' } };
}

/** Send this process no requests while this is not 200. @throws Problem `storage_unavailable`, `shutting_down` … */
export async function answerReady(check: () => Promise<Readiness>): Promise<Answer<SuccessBody>> {
  const { problem, parts } = await check();
  if (problem !== null) throw problem;
  return { value: { ok: true, status: 'ready', ...parts } };
}
