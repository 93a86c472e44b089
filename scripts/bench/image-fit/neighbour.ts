import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import path from 'node:path';

import { startBenchServer, type Listening } from './bench-server.ts';
import { applyLoad, type Load } from './load.ts';
import { markdownTable, median, quantile } from '../measure.ts';
import type { Called, Calls } from './image-callers.ts';

const ROUNDS = 5;
const CALLERS = 32;
/** Until the code of both kinds of requests is compiled. */
const WARM_UP_REQUESTS = 40_000;

interface Traffic {
  readonly title: string;
  readonly connections: number;
  readonly requests: number;
  readonly perSecond?: number;
}

const TRAFFIC: readonly Traffic[] = [
  { title: 'as fast as one caller gets its answers', connections: 1, requests: 15_000 },
  { title: 'as fast as 10 callers get their answers', connections: 10, requests: 40_000 },
  { title: '500 times a second', connections: 4, requests: 3_000, perSecond: 500 },
];

const HEAD = [
  'round',
  'alone, requests a second',
  'beside',
  'alone, p99 ms',
  'beside',
  'beside another process',
  'beside, of alone',
  'beside another process, of alone',
  'images a second',
];

const lineToParse = () => JSON.stringify({ text: '!ban @someone 7d spamming links' });

/**
 * Measures parse-args while 32 callers have images made to fit: in the same service, and, as the floor, in another
 * service on the same cores. Rounds take turns; the median of their ratios counts.
 */
export async function measureNeighbour(): Promise<void> {
  await using origin = await startBenchServer('photo-server.ts');
  yieldToOthers(origin.pid);
  const url = `http://127.0.0.1:${origin.port}/`;
  await using server = await startBenchServer('quartermaster-server.ts');
  await using another = await startBenchServer('quartermaster-server.ts');
  const parse = { ...server, path: '/api/parse-args', body: lineToParse };
  const callsTo = ({ port, keys }: Listening): Calls => ({ port, keys, callers: CALLERS, url });
  const here = callsTo(server);
  const elsewhere = callsTo(another);

  for (const calls of [here, elsewhere]) {
    const warmUp = await startCallers(calls);
    await applyLoad({ ...parse, connections: 10, requests: WARM_UP_REQUESTS });
    await warmUp.stop();
  }

  for (const { title, ...traffic } of TRAFFIC) {
    const rows: (string | number)[][] = [];
    const ratios: [beside: number, floor: number][] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const alone = await measure(parse, traffic, null);
      const beside = await measure(parse, traffic, here);
      const floor = await measure(parse, traffic, elsewhere);
      const ratio: [number, number] = [beside.p99 / alone.p99, floor.p99 / alone.p99];
      ratios.push(ratio);
      rows.push([
        round,
        alone.perSecond.toFixed(0),
        beside.perSecond.toFixed(0),
        ...[alone.p99, beside.p99, floor.p99, ...ratio].map((value) => value.toFixed(2)),
        beside.images,
      ]);
    }
    const medians = [0, 1].map((column) => median(ratios.map((ratio) => ratio[column] ?? NaN)).toFixed(2));
    rows.push(['median', '', '', '', '', '', ...medians, '']);
    console.log(`\nparse-args ${title}, alone and beside ${CALLERS} callers with images to fit:\n`);
    console.log(markdownTable(HEAD, rows));
  }
}

/** @param calls what runs at the same time */
async function measure(
  parse: Omit<Load, keyof Traffic>,
  traffic: Omit<Traffic, 'title'>,
  calls: Calls | null,
) {
  const callers = calls === null ? null : await startCallers(calls);
  const { latenciesMs, seconds } = await applyLoad({ ...parse, ...traffic });
  const called = await callers?.stop();
  return {
    perSecond: traffic.requests / seconds,
    p99: quantile(latenciesMs, 0.99),
    images:
      called?.statuses
        .map(([status, count]) => `${status}: ${(count / called.seconds).toFixed(1)}`)
        .join(', ') ?? '',
  };
}

async function startCallers(calls: Calls) {
  const child = fork(path.join(import.meta.dirname, 'image-callers.ts'), [JSON.stringify(calls)]);
  await once(child, 'message');
  yieldToOthers(child.pid);
  return {
    async stop(): Promise<Called> {
      const called = once(child, 'message') as Promise<[Called]>;
      child.send('stop');
      return (await called)[0];
    },
  };
}

/** Those who call and those who have the images are other machines: here they must not take what is measured. */
function yieldToOthers(pid: number | undefined): void {
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
}
