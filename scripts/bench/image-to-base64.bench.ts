import { startBenchServer } from './image-to-base64/bench-server.ts';
import { applyLoad } from './image-to-base64/load.ts';
import { describeMachine, markdownTable, median, quantile } from './measure.ts';

const CONNECTIONS = 32;
const SIZES = [
  { name: '256 KiB', bytes: 256 * 1024, requests: 800 },
  { name: '8 MiB', bytes: 8 * 1024 * 1024, requests: 64 },
];
const SERVERS = [
  { name: 'express: fetch, Buffer, res.json', file: 'express-server.ts' },
  { name: 'quartermaster', file: 'quartermaster-server.ts' },
];

interface Round {
  readonly rate: number;
  readonly p99Ms: number;
  /** Processor time of the server for one request. */
  readonly cpuMs: number;
  readonly rssMax: number;
  readonly loopDelayMaxMs: number;
}

/** Images of two sizes by 32 callers of 16 guilds at once, against a bare Express handler that does the same. */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 3] = args.map(Number);
  await using origin = await startBenchServer('origin-server.ts');

  console.log(describeMachine());
  console.log(
    `${CONNECTIONS} connections, keys of 16 guilds, medians of ${rounds} rounds, each in a fresh process\n`,
  );
  const rows: (string | number)[][] = [];
  for (const { name: sizeName, bytes, requests } of SIZES) {
    const results = new Map<string, Round[]>(SERVERS.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, file } of SERVERS) {
        results.get(name)?.push(await measure(file, `http://127.0.0.1:${origin.port}/${bytes}`, requests));
      }
    }
    const medianOf = (name: string, pick: (round: Round) => number) =>
      median((results.get(name) ?? []).map(pick));
    const [peer = ''] = SERVERS.map(({ name }) => name);
    for (const { name } of SERVERS) {
      const rate = medianOf(name, (round) => round.rate);
      const rssMax = medianOf(name, (round) => round.rssMax);
      rows.push([
        sizeName,
        name,
        rate.toFixed(rate < 100 ? 1 : 0),
        (rate / medianOf(peer, (round) => round.rate)).toFixed(2),
        Math.round(medianOf(name, (round) => round.p99Ms)),
        medianOf(name, (round) => round.cpuMs).toFixed(1),
        Math.round(rssMax / 2 ** 20),
        (rssMax / medianOf(peer, (round) => round.rssMax)).toFixed(2),
        Math.round(medianOf(name, (round) => round.loopDelayMaxMs)),
      ]);
    }
  }
  console.log(
    markdownTable(
      [
        'image',
        'server',
        'requests/s',
        'of express',
        'p99 ms',
        'CPU ms',
        'peak RSS MiB',
        'of express',
        'longest loop stall ms',
      ],
      rows,
    ),
  );
}

async function measure(file: string, url: string, requests: number): Promise<Round> {
  await using server = await startBenchServer(file);
  const body = JSON.stringify({ url });
  const load = { port: server.port, keys: server.keys, connections: CONNECTIONS, body: () => body };
  await applyLoad({ ...load, requests: CONNECTIONS });
  const before = await server.usage();
  const { seconds, latenciesMs, statuses } = await applyLoad({ ...load, requests });
  if (statuses.get(200) !== requests) throw new Error(`${file} answered ${JSON.stringify([...statuses])}`);
  const { rssMaxBytes, loopDelayMaxMs, cpuMs } = await server.usage();
  return {
    rate: requests / seconds,
    p99Ms: quantile(latenciesMs, 0.99),
    cpuMs: (cpuMs - before.cpuMs) / requests,
    rssMax: rssMaxBytes,
    loopDelayMaxMs,
  };
}
