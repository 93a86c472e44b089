import { startBenchServer } from '../image-to-base64/bench-server.ts';
import { applyLoad } from '../image-to-base64/load.ts';
import { markdownTable, median, quantile } from '../measure.ts';
import { serviceFlags } from '../service-flags.ts';

const ROUNDS = 5;

const lineToParse = () => JSON.stringify({ text: '!ban @someone 7d spamming links' });

/** What parse-args feels of 32 callers with images to fit. Rounds take turns; the median of their ratios counts. */
export async function measureNeighbour(): Promise<void> {
  await using origin = await startBenchServer('../image-fit/photo-server.ts');
  const url = `http://127.0.0.1:${origin.port}/`;
  await using server = await startBenchServer('quartermaster-server.ts', serviceFlags());

  const parse = { ...server, path: '/api/parse-args', body: lineToParse, connections: 4, requests: 10_000 };
  await applyLoad({ ...parse, requests: 4_000 });
  const rows: (string | number)[][] = [];
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const alone = (await applyLoad(parse)).latenciesMs;
    const over = new AbortController();
    const images = new Map<number, number>();
    const fitting = (async () => {
      while (!over.signal.aborted) {
        const { statuses } = await applyLoad({
          ...server,
          connections: 32,
          requests: 64,
          body: () => JSON.stringify({ url, for: 'emoji', fit: true }),
        });
        for (const [status, count] of statuses) images.set(status, (images.get(status) ?? 0) + count);
      }
    })();
    const beside = (await applyLoad(parse)).latenciesMs;
    over.abort();
    await fitting;
    const [p99Alone, p99Beside] = [quantile(alone, 0.99), quantile(beside, 0.99)];
    ratios.push(p99Beside / p99Alone);
    const counts = [...images].map(([status, count]) => `${status}: ${count}`).join(', ');
    const shown = [median(alone), median(beside), p99Alone, p99Beside, p99Beside / p99Alone];
    rows.push([round, ...shown.map((value) => value.toFixed(2)), counts]);
  }
  rows.push(['median', '', '', '', '', median(ratios).toFixed(2), '']);
  console.log('\nparse-args over 4 connections, alone and beside 32 callers with images to fit:\n');
  const head = ['round', 'alone, median ms', 'beside', 'alone, p99 ms', 'beside', 'ratio of p99', 'images'];
  console.log(markdownTable(head, rows));
}
