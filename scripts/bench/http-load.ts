import autocannon from 'autocannon';

import { cpuUs, median } from './measure.ts';

/** A server under load, and what is asked of it. */
export interface LoadTarget {
  readonly name: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Changes the path of each request. */
  readonly pathOf?: (path: string) => string;
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
  readonly rounds: number;
  readonly seconds: number;
}

/** Medians by target. Each round goes through all targets, so that a slow minute of the machine meets all of them. */
export async function compareLoads<Target extends LoadTarget>(
  targets: readonly Target[],
  options: LoadOptions,
): Promise<ReadonlyMap<Target, Load>> {
  const loads = await collectLoads(targets, options);
  return new Map([...loads].map(([target, all]) => [target, medianOf(all)]));
}

/** What each round measured, after one that does not count. */
export async function collectLoads<Target extends LoadTarget>(
  targets: readonly Target[],
  options: LoadOptions,
): Promise<ReadonlyMap<Target, readonly Load[]>> {
  const loads = new Map<Target, Load[]>(targets.map((target) => [target, []]));
  for (let round = -1; round < options.rounds; round += 1) {
    for (const target of targets) {
      const load = await measure(target, options);
      if (round >= 0) loads.get(target)?.push(load);
    }
  }
  return loads;
}

export function medianOf(loads: readonly Load[]): Load {
  return {
    rate: median(loads.map(({ rate }) => rate)),
    p99: median(loads.map(({ p99 }) => p99)),
    usPerRequest: median(loads.map(({ usPerRequest }) => usPerRequest)),
  };
}

async function measure(target: LoadTarget, { connections, seconds }: LoadOptions): Promise<Load> {
  const { pathOf, body } = target;
  const { pathname, search } = new URL(target.url);
  const before = cpuUs(target.pid);
  const result = await autocannon({
    url: target.url,
    method: target.method ?? 'GET',
    headers: target.headers,
    connections,
    duration: seconds,
    ...(body === undefined ? {} : { body }),
    ...(pathOf === undefined
      ? {}
      : {
          requests: [{ setupRequest: (request) => ({ ...request, path: pathOf(`${pathname}${search}`) }) }],
        }),
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
