import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import path from 'node:path';

import { FIT_LIMITS } from '../../../src/images/fit/fit-limits.ts';
import { startBenchServer } from '../image-to-base64/bench-server.ts';
import { applyLoad } from '../image-to-base64/load.ts';
import { markdownTable, median, quantile } from '../measure.ts';
import { serviceFlags } from '../start-command.ts';
import type { Called, Calls } from './image-callers.ts';

const ROUNDS = 5;
const CALLERS = 32;
/** A server that has something to do, and time left: at full load a second core would be what is measured. */
const PER_SECOND = 500;
const REQUESTS = 3_000;

const lineToParse = () => JSON.stringify({ text: '!ban @someone 7d spamming links' });

/**
 * What parse-args feels of 32 callers with images to fit, and, as a peer, of endless loops of the same niceness that do
 * nothing else: that much is due to the scheduler. Rounds take turns; the median of their ratios counts.
 */
export async function measureNeighbour(): Promise<void> {
  await using origin = await startBenchServer('../image-fit/photo-server.ts');
  yieldToOthers(origin.pid);
  const url = `http://127.0.0.1:${origin.port}/`;
  await using server = await startBenchServer('quartermaster-server.ts', serviceFlags());

  const parse = { ...server, path: '/api/parse-args', body: lineToParse, connections: 4 };
  const measure = async () =>
    (await applyLoad({ ...parse, requests: REQUESTS, perSecond: PER_SECOND })).latenciesMs;
  await applyLoad({ ...parse, requests: 10_000 });
  const rows: (string | number)[][] = [];
  const ratios: number[] = [];
  const ratiosOfLoops: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const alone = await measure();
    const endLoops = startLoops();
    const besideLoops = await measure();
    endLoops();
    const callers = await startCallers({ port: server.port, keys: server.keys, callers: CALLERS, url });
    const beside = await measure();
    const { seconds, statuses } = await callers.stop();
    const medians = [alone, beside].map((latencies) => median(latencies));
    const [p99Alone = 0, p99Loops = 0, p99Beside = 0] = [alone, besideLoops, beside].map((latencies) =>
      quantile(latencies, 0.99),
    );
    ratios.push(p99Beside / p99Alone);
    ratiosOfLoops.push(p99Loops / p99Alone);
    const shown = [...medians, p99Alone, p99Beside, p99Beside / p99Alone, p99Loops, p99Loops / p99Alone];
    const counts = statuses.map(([status, count]) => `${status}: ${(count / seconds).toFixed(1)}`).join(', ');
    rows.push([round, ...shown.map((value) => value.toFixed(2)), counts]);
  }
  const [ratio, ratioOfLoops] = [median(ratios), median(ratiosOfLoops)];
  rows.push(['median', '', '', '', '', ratio.toFixed(2), '', ratioOfLoops.toFixed(2), '']);
  console.log(
    `\nparse-args ${PER_SECOND} times a second, alone and beside ${CALLERS} callers with images to fit:\n`,
  );
  const head = [
    'round',
    'alone, median ms',
    'beside',
    'alone, p99 ms',
    'beside',
    'ratio of p99',
    'p99 beside loops',
    'their ratio',
    'images a second',
  ];
  console.log(markdownTable(head, rows));
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

/** As many as there are processes for images. */
function startLoops(): () => void {
  const loops = Array.from({ length: FIT_LIMITS.jobsMax }, () =>
    spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
  );
  for (const { pid } of loops) if (pid !== undefined) setPriority(pid, FIT_LIMITS.niceness);
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}

/** Those who call and those who have the images are other machines: here they must not take what is measured. */
function yieldToOthers(pid: number | undefined): void {
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
}
