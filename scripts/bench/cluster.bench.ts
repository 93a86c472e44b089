import { connectRedis } from '../../src/storage/redis-connection.ts';
import { roleOf, startTopology } from './cluster/topology.ts';
import { measureLoad, type Load, type LoadTarget } from './http-load.ts';
import { describeMachine, markdownTable, median } from './measure.ts';
import type { ServiceProcess } from './service-process.ts';

const SIZES = [10, 100_000];
/** Few where an answer has 2 MB, so that each of them is done within a round on a busy machine, too. */
const connectionsFor = (size: number) => (size > 1_000 ? 4 : 16);

interface Target extends LoadTarget {
  readonly size: number;
}

/**
 * The member list of a guild from the process that holds its shard, from one that holds another and from one without
 * Discord, against one process that is alone. Needs Redis: REDIS_URL, default redis://127.0.0.1:6379.
 */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 3, seconds = 3] = args.map(Number);
  const address = new URL(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
  address.searchParams.set('keyPrefix', `bench-${crypto.randomUUID()}:`);
  const redis = await connectRedis(address.href, { commandTimeoutMs: 5_000, connectTimeoutMs: 2_000 });
  try {
    await using topology = await startTopology(address.href, SIZES);
    const { alone, shardHolders, replica, key } = topology;
    const [holder, other] = shardHolders;
    const target = (name: string, size: number, { url, process: { pid } }: ServiceProcess): Target => ({
      name,
      size,
      url: `${url}/api/role-members?role_id=${roleOf(size)}`,
      headers: { authorization: key },
      pid,
    });
    const targets = SIZES.flatMap((size) => [
      target('alone, no Redis', size, alone),
      target('own shard', size, holder),
      target("another's shard", size, other),
      target('HTTP-only replica', size, replica),
    ]);
    const loads = new Map<Target, Load[]>(targets.map((each) => [each, []]));
    // Round by round through all targets, so that a slower minute of the machine meets all of them.
    for (let round = -1; round < rounds; round += 1) {
      for (const each of targets) {
        const load = await measureLoad(each, { connections: connectionsFor(each.size), seconds });
        if (round >= 0) loads.get(each)?.push(load);
      }
    }
    print(targets, loads, rounds, seconds);
  } finally {
    redis.disconnect();
  }
}

function print(
  targets: readonly Target[],
  loads: ReadonlyMap<Target, readonly Load[]>,
  rounds: number,
  seconds: number,
): void {
  const medianOf = (target: Target | undefined, key: keyof Load) =>
    median((target === undefined ? [] : (loads.get(target) ?? [])).map((load) => load[key]));
  const rows = targets.map((target) => {
    const [alone, own] = targets.filter(({ size }) => size === target.size);
    const rate = medianOf(target, 'rate');
    const of = (floor: Target | undefined) => `${(rate / medianOf(floor, 'rate')).toFixed(2)}x`;
    return [
      target.size.toLocaleString('en'),
      target.name,
      rate >= 100 ? Math.round(rate) : rate.toFixed(1),
      of(alone),
      target === alone ? '' : of(own),
      medianOf(target, 'p99'),
    ];
  });
  console.log(describeMachine());
  console.log(`16 connections, 4 for the long list, ${rounds} rounds of ${seconds} s, medians\n`);
  console.log(markdownTable(['ids', 'asked', 'requests/s', 'of alone', 'of own', 'p99 ms'], rows));
}
