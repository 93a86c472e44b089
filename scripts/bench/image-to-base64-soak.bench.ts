import { startBenchServer } from './image-to-base64/bench-server.ts';
import { applyLoad } from './image-to-base64/load.ts';
import { describeMachine, markdownTable } from './measure.ts';

const GOOD = ['png', 'jpeg', 'gif', 'webp', 'avif', 'png-large'];
const REFUSED = [
  'svg',
  'page',
  'pixels',
  'noise',
  'too-large',
  'inside',
  'lie',
  'loop',
  'headers',
  'drop',
  'bomb',
];
const COSTLY = ['endless', 'endless-redirect', 'silence', 'stop'];

/** Periods are short so that many fetches run into them. */
const LIMITS = { deadlineMs: 200, headersTimeoutMs: 50, idleTimeoutMs: 50 };
const CONNECTIONS = 32;

/** Of 20 fetches 9 find an image, 9 are refused cheaply, 2 cost the most that an origin can make them cost. */
function kindOf(request: number): string {
  const round = Math.floor(request / 20);
  const place = request % 20;
  const kinds = place < 9 ? GOOD : place < 18 ? REFUSED : COSTLY;
  return kinds[(round + place) % kinds.length] ?? 'png';
}

/** Many mixed fetches through the service: what is left of them in memory, sockets and timers. */
export async function run(args: readonly string[]): Promise<void> {
  const [total = 10_000, stages = 5] = args.map(Number);
  await using origin = await startBenchServer('hostile-origin-server.ts');
  await using server = await startBenchServer(
    'quartermaster-server.ts',
    ['--expose-gc'],
    [JSON.stringify(LIMITS)],
  );
  const url = (kind: string) => JSON.stringify({ url: `http://127.0.0.1:${origin.port}/${kind}` });

  console.log(`${describeMachine()}\n`);
  const rows: (string | number)[][] = [];
  const report = async (fetches: number, statuses: ReadonlyMap<number, number>) => {
    const { heapBytes, externalBytes, rssBytes, resources } = await server.usage();
    const count = (name: string) => resources.filter((resource) => resource.startsWith(name)).length;
    rows.push([
      fetches,
      [...statuses].map(([status, answers]) => `${status}: ${answers}`).join(', '),
      ...[heapBytes, externalBytes, rssBytes].map((bytes) => (bytes / 2 ** 20).toFixed(1)),
      count('TCPSocketWrap'),
      count('Timeout'),
    ]);
  };
  await report(0, new Map());
  for (let stage = 0; stage < stages; stage += 1) {
    const requests = total / stages;
    const { statuses } = await applyLoad({
      port: server.port,
      keys: server.keys,
      connections: CONNECTIONS,
      requests,
      body: (request) => url(kindOf(request)),
    });
    await report((stage + 1) * requests, statuses);
  }
  console.log(
    markdownTable(['fetches', 'answers', 'heap MiB', 'outside MiB', 'RSS MiB', 'sockets', 'timers'], rows),
  );
}
