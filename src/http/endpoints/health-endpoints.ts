import type { Problem } from '../../problem.ts';
import { WITHOUT_BODY, type Endpoint } from '../exchange/endpoint.ts';

/** Whether this process should get requests, and what of it works. */
export interface Readiness {
  /** null when it should. */
  readonly problem: Problem | null;
  /** State by part, each a short word or a small object without secrets. */
  readonly parts: Readonly<Record<string, unknown>>;
}

const HEALTH = { ...WITHOUT_BODY, methods: ['GET'], key: 'ignored', bucket: 'guild' } as const;

/**
 * `live`: the process runs; restart it when this does not answer. `ready`: it takes requests; send it none unless this
 * is 200.
 */
export function healthEndpoints(check: () => Promise<Readiness>): readonly Endpoint[] {
  return [
    {
      ...HEALTH,
      name: 'health-live',
      path: '/health/live',
      handle: () => Promise.resolve({ value: { ok: true, status: 'live' } }),
    },
    {
      ...HEALTH,
      name: 'health-ready',
      path: '/health/ready',
      async handle() {
        const { problem, parts } = await check();
        if (problem !== null) throw problem;
        return { value: { ok: true, status: 'ready', ...parts } };
      },
    },
  ];
}
