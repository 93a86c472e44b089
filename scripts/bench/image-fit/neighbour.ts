import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import path from 'node:path';

import { startBenchServer } from '../image-to-base64/bench-server.ts';
import { applyLoad } from '../image-to-base64/load.ts';
import { markdownTable, median, quantile } from '../measure.ts';
import { serviceFlags } from '../start-command.ts';
import type { Called, Calls } from './image-callers.ts';

const ROUNDS = 7;
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
  { title: 'as fast as 10 callers get their answers', connections: 10, requests: 40_000 },
  { title: '500 times a second', connections: 4, requests: 3_000, perSecond: 500 },
];

const lineToParse = () => JSON.stringify({ text: '!ban @someone 7d spamming links' });

/** What parse-args feels of 32 callers with images to fit. Rounds take turns; the median of their ratios counts. */
export async function measureNeighbour(): Promise<void> {
  await using origin = await startBenchServer('../image-fit/photo-server.ts');
  yieldToOthers(origin.pid);
  const url = `http://127.0.0.1:${origin.port}/`;
  await using server = await startBenchServer('quartermaster-server.ts', serviceFlags());
  const parse = { ...server, path: '/api/parse-args', body: lineToParse };
  const calls = { port: server.port, keys: server.keys, callers: CALLERS, url };

  const warmUp = await startCallers(calls);
  await applyLoad({ ...parse, connections: 10, requests: WARM_UP_REQUESTS });
  await warmUp.stop();

  for (const { title, ...traffic } of TRAFFIC) {
    const rows: (string | number)[][] = [];
    const ratios: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const alone = await applyLoad({ ...parse, ...traffic });
      const callers = await startCallers(calls);
      const beside = await applyLoad({ ...parse, ...traffic });
      const { seconds, statuses } = await callers.stop();
      const loads = [alone, beside];
      const medians = loads.map(({ latenciesMs }) => median(latenciesMs));
      const [p99Alone = 0, p99Beside = 0] = loads.map(({ latenciesMs }) => quantile(latenciesMs, 0.99));
      const perSecond = loads.map((load) => (traffic.requests / load.seconds).toFixed(0));
      const shown = [...medians, p99Alone, p99Beside, p99Beside / p99Alone];
      const counts = statuses
        .map(([status, count]) => `${status}: ${(count / seconds).toFixed(1)}`)
        .join(', ');
      ratios.push(p99Beside / p99Alone);
      rows.push([round, ...perSecond, ...shown.map((value) => value.toFixed(2)), counts]);
    }
    rows.push(['median', '', '', '', '', '', '', median(ratios).toFixed(2), '']);
    console.log(`\nparse-args ${title}, alone and beside ${CALLERS} callers with images to fit:\n`);
    console.log(markdownTable(HEAD, rows));
  }
}

const HEAD = [
  'round',
  'alone, requests a second',
  'beside',
  'median ms',
  'beside',
  'p99 ms',
  'beside',
  'ratio of p99',
  'images a second',
];

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
