import autocannon from 'autocannon';

import { cpuUs, median } from './measure.ts';

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

/** Medians by target, after a round that does not count. Each round goes through all targets, so that a slow minute of the machine meets all of them. */
export async function compareLoads<Target extends LoadTarget>(
  targets: readonly Target[],
  { rounds, ...load }: LoadOptions & { readonly rounds: number },
): Promise<ReadonlyMap<Target, Load>> {
  const loads = new Map<Target, Load[]>(targets.map((target) => [target, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const target of targets) {
      const measured = await measureLoad(target, load);
      if (round >= 0) loads.get(target)?.push(measured);
    }
  }
  const medians = (all: readonly Load[]): Load => ({
    rate: median(all.map(({ rate }) => rate)),
    p99: median(all.map(({ p99 }) => p99)),
    usPerRequest: median(all.map(({ usPerRequest }) => usPerRequest)),
  });
  return new Map([...loads].map(([target, all]) => [target, medians(all)]));
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
