import type { RequestHandler } from 'express';

import type { Operation } from '../../operations/operation.ts';
import { Problem } from '../../problem.ts';

export interface StoppingOptions {
  readonly operations: readonly Operation[];
  /** The service stops and waits for work that was promised to callers. */
  readonly isStopping: () => boolean;
}

/** While promised work is ended, callers can still look how it ended, and nothing else begins. */
export function refuseWhileStopping({ operations, isStopping }: StoppingOptions): RequestHandler {
  const looks = new Set(operations.filter(({ look }) => look !== null).map(({ path }) => path.toLowerCase()));
  return ({ method, path }, _response, next) => {
    if (!isStopping()) return next();
    const address = path.toLowerCase().replace(/\/$/, '');
    const isLook = method !== 'POST' && looks.has(address);
    if (isLook || address.startsWith('/health/')) return next();
    throw new Problem('shutting_down', { retryAfterSeconds: 5 });
  };
}
