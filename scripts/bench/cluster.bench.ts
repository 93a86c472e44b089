import autocannon from 'autocannon';
import type { Redis } from 'ioredis';

import { connectRedis } from '../../src/storage/redis-connection.ts';
import { roleOf, startTopology } from './cluster/topology.ts';
import { cpuUs, describeMachine, markdownTable, median } from './measure.ts';
import type { ServiceProcess } from './service-process.ts';

const SIZES = [10, 100_000];
/** Few where an answer has 2 MB, so that each of them is done within a round on a busy machine, too. */
const connectionsFor = (size: number) => (size > 1_000 ? 4 : 16);

interface Target {
  readonly name: string;
  readonly size: number;
  readonly asked: ServiceProcess;
  /** Who holds the shard, where that is another process. */
  readonly owner: ServiceProcess | null;
  /** Each request is for another list. */
  readonly isNew: boolean;
}

interface Load {
  readonly rate: number;
  readonly p99: number;
  readonly askedUs: number;
  readonly ownerUs: number;
  readonly redisUs: number;
  readonly redisCommands: number;
  readonly redisKilobytes: number;
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
    const { alone, owners, replica } = topology;
    const [holder, other] = owners;
    const targets = SIZES.flatMap((size) =>
      [false, true].flatMap((isNew): Target[] => [
        { name: 'alone, no Redis', size, isNew, asked: alone, owner: null },
        { name: 'own shard', size, isNew, asked: holder, owner: null },
        { name: "another's shard", size, isNew, asked: other, owner: holder },
        { name: 'HTTP-only replica', size, isNew, asked: replica, owner: holder },
      ]),
    );
    const loads = new Map<Target, Load[]>(targets.map((target) => [target, []]));
    // Round by round through all targets, so that a slower minute of the machine meets all of them.
    for (let round = -1; round < rounds; round += 1) {
      for (const target of targets) {
        const result = await measure(target, topology.key, redis, round < 0 ? 1 : seconds);
        if (round >= 0) loads.get(target)?.push(result);
      }
    }
    print(targets, loads, rounds, seconds);
  } finally {
    redis.disconnect();
  }
}

let lists = 0;

async function measure(target: Target, key: string, redis: Redis, seconds: number): Promise<Load> {
  const { asked, owner, size } = target;
  const before = { asked: cpuOf(asked), owner: cpuOf(owner), redis: await readRedis(redis) };
  const path = `/api/role-members?role_id=${roleOf(size)}`;
  const result = await autocannon({
    url: asked.url + path,
    headers: { authorization: key },
    connections: connectionsFor(size),
    duration: seconds,
    requests: [
      {
        setupRequest(request) {
          if (!target.isNew) return request;
          // Ids above another one, all of them below the first: the same ids, and another list to the service.
          lists += 1;
          return { ...request, path: `${path}&after=${10n ** 17n + BigInt(lists)}` };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${target.name}, ${size}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`,
    );
  }
  const after = await readRedis(redis);
  const { total } = result.requests;
  if (total === 0) throw new Error(`${target.name}, ${size}: no answer in ${seconds} s`);
  return {
    rate: result.requests.average,
    p99: result.latency.p99,
    askedUs: (cpuOf(asked) - before.asked) / total,
    ownerUs: (cpuOf(owner) - before.owner) / total,
    redisUs: (after.cpuUs - before.redis.cpuUs) / total,
    redisCommands: (after.commands - before.redis.commands) / total,
    redisKilobytes: (after.bytes - before.redis.bytes) / total / 1_000,
  };
}

function cpuOf(service: ServiceProcess | null): number {
  return service === null ? 0 : cpuUs(service.process.pid);
}

/** What Redis has done so far, in both directions; others who use it are counted, too. */
async function readRedis(redis: Redis): Promise<{ cpuUs: number; commands: number; bytes: number }> {
  const text = await redis.info('everything');
  const read = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? NaN);
  return {
    cpuUs: (read('used_cpu_sys') + read('used_cpu_user')) * 1e6,
    commands: read('total_commands_processed'),
    bytes: read('total_net_input_bytes') + read('total_net_output_bytes'),
  };
}

function print(
  targets: readonly Target[],
  loads: ReadonlyMap<Target, readonly Load[]>,
  rounds: number,
  seconds: number,
): void {
  const medianOf = (target: Target, key: keyof Load) =>
    median((loads.get(target) ?? []).map((load) => load[key]));
  const rows = targets.map((target) => {
    const floor = targets.find(({ size, isNew }) => size === target.size && isNew === target.isNew) ?? target;
    const own = targets.find(
      ({ name, size, isNew }) => name === 'own shard' && size === target.size && isNew === target.isNew,
    );
    const rate = medianOf(target, 'rate');
    return [
      `${target.size.toLocaleString('en')}, ${target.isNew ? 'made anew' : 'unchanged'}`,
      target.name,
      rate >= 100 ? Math.round(rate) : rate.toFixed(1),
      `${(rate / medianOf(floor, 'rate')).toFixed(2)}x`,
      own === undefined || target.name.startsWith('alone')
        ? ''
        : `${(rate / medianOf(own, 'rate')).toFixed(2)}x`,
      medianOf(target, 'p99'),
      Math.round(medianOf(target, 'askedUs')),
      target.owner === null ? '' : Math.round(medianOf(target, 'ownerUs')),
      target.name.startsWith('alone') ? '' : Math.round(medianOf(target, 'redisUs')),
      target.name.startsWith('alone') ? '' : medianOf(target, 'redisCommands').toFixed(1),
      target.name.startsWith('alone') ? '' : medianOf(target, 'redisKilobytes').toFixed(1),
    ];
  });
  console.log(describeMachine());
  console.log(
    `16 connections, 4 for the long list, ${rounds} rounds of ${seconds} s, medians; µs are of processor time\n`,
  );
  const head = ['ids', 'asked', 'requests/s', 'of alone', 'of own', 'p99 ms', 'µs there', 'µs owner'];
  console.log(markdownTable([...head, 'µs Redis', 'Redis commands', 'Redis kB'], rows));
}
