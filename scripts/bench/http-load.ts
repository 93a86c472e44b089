import autocannon from 'autocannon';

import { cpuUs } from './measure.ts';

/** A server under load, and what is asked of it. */
export interface LoadTarget {
  readonly name: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** The process that answers. */
  readonly pid: number | undefined;
}

export interface Load {
  readonly rate: number;
  readonly p99: number;
  /** Microseconds of processor time of the process that answers. */
  readonly usPerRequest: number;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
}

export async function measureLoad(target: LoadTarget, { connections, seconds }: LoadOptions): Promise<Load> {
  const { body } = target;
  const before = cpuUs(target.pid);
  const result = await autocannon({
    url: target.url,
    method: target.method ?? 'GET',
    headers: target.headers,
    connections,
    duration: seconds,
    ...(body === undefined ? {} : { body }),
  });
  const refused = result.non2xx - (result['3xx'] ?? 0);
  if (refused > 0 || result.errors > 0) {
    throw new Error(`${target.name}: ${refused} refused, ${result.errors} errors`);
  }
  return {
    rate: result.requests.average,
    p99: result.latency.p99,
    usPerRequest: (cpuUs(target.pid) - before) / result.requests.total,
  };
}
