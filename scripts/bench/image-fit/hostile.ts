import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ImageTargetName } from '../../../src/images/targets.ts';
import { DECODER_BOMBS } from '../../../test/fixtures/decoder-bombs.ts';
import { encodeAnimation, movingPicture, still } from '../../../test/fixtures/fit-pictures.ts';
import { noise } from '../../../test/fixtures/image-files.ts';
import { startBenchServer, type BenchServer } from './bench-server.ts';
import { forgetPeak, markdownTable, peakBytes } from '../measure.ts';

const STAGES = 5;
const CALLERS = 6;
const MIB = 2 ** 20;
/** Where most changes are made: most files then end at their header, as most hostile ones do. */
const HEADER_BYTES = 48;

type Hostile = readonly [target: ImageTargetName, file: Buffer];

/** The service in a process of its own, and an origin that hands out hostile files by their number. */
interface Stage extends AsyncDisposable {
  readonly server: BenchServer;
  /** @returns the code of the answer, `ok` for an image */
  ask(request: number, target: ImageTargetName): Promise<string>;
}

async function openStage(fileOf: (request: number) => Buffer): Promise<Stage> {
  const origin: Server = createServer((request, response) => {
    response.end(fileOf(Number(request.url?.slice(1))));
  }).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const { port } = origin.address() as AddressInfo;
  const server = await startBenchServer('quartermaster-server.ts', ['--expose-gc']);
  return {
    server,
    async ask(request, target) {
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/image-to-base64`, {
        method: 'POST',
        headers: {
          authorization: server.keys[request % server.keys.length] ?? '',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ url: `http://127.0.0.1:${port}/${request}`, for: target, fit: true }),
      });
      const said = (await answer.json()) as { readonly ok: boolean; readonly code?: string };
      return said.ok ? 'ok' : `${answer.status} ${said.code}`;
    },
    async [Symbol.asyncDispose]() {
      origin.close();
      origin.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

const memoryOf = async (server: BenchServer) => {
  const { heapBytes, externalBytes, rssBytes } = await server.usage();
  return [heapBytes, externalBytes, rssBytes].map((bytes) => (bytes / MIB).toFixed(1));
};

/** Files with a few changed bytes, most of them in the header. */
export async function fitMutated(count: number): Promise<void> {
  // Small images, each for a use for which it has to be made again. Nearly all of their bytes matter.
  const sources: readonly Hostile[] = [
    ['sticker', await still('png', 330, 4)],
    ['sticker', await still('jpeg', 32, 32)],
    ['sticker', await still('webp', 32, 32)],
    ['sticker', await still('avif', 32, 32)],
    ['splash', await still('gif', 32, 32)],
    ['avatar', await encodeAnimation(movingPicture(16, 3, 40), 'webp')],
  ];
  const random = noise(8 * MIB);
  let at = 0;
  const next = (below: number) => random.readUInt32BE((at = (at + 4) % (random.length - 4))) % below;
  const mutate = (source: Buffer) => {
    const file = Buffer.from(source);
    for (let changes = 1 + next(16); changes > 0; changes -= 1) {
      file[next(next(8) === 0 ? file.length : HEADER_BYTES)] = next(256);
    }
    return file;
  };
  const files = new Map<number, Buffer>();
  await using stage = await openStage((request) => files.get(request) ?? Buffer.alloc(0));
  const answers = new Map<string, number>();
  const rows: (string | number)[][] = [[0, '', ...(await memoryOf(stage.server))]];
  let asked = 0;
  for (let part = 1; part <= STAGES; part += 1) {
    const until = Math.round((count * part) / STAGES);
    const callers = Array.from({ length: CALLERS }, async () => {
      while (asked < until) {
        const request = asked;
        asked += 1;
        const [target, source] = sources[request % sources.length] ?? ['emoji', Buffer.alloc(0)];
        files.set(request, mutate(source));
        const code = await stage.ask(request, target);
        files.delete(request);
        answers.set(code, (answers.get(code) ?? 0) + 1);
      }
    });
    await Promise.all(callers);
    const said = [...answers].sort(([one], [other]) => one.localeCompare(other));
    rows.push([
      asked,
      said.map(([code, times]) => `${code}: ${times}`).join(', '),
      ...(await memoryOf(stage.server)),
    ]);
  }
  console.log(markdownTable(['files', 'answers so far', 'heap MiB', 'outside MiB', 'RSS MiB'], rows));
}

const BOMB_TARGETS = ['role_icon', 'emoji', 'sticker'] as const satisfies readonly ImageTargetName[];

/** Small files that make a decoder work out of all proportion, each followed by an honest picture. */
export async function fitBombs(): Promise<void> {
  const honest = await still('jpeg', 400, 300);
  let file = honest;
  let requests = 0;
  await using stage = await openStage((request) => (request % 2 === 0 ? file : honest));
  const rows: (string | number)[][] = [];
  for (const [name, make] of DECODER_BOMBS) {
    file = await make();
    const [answers, afterwards] = [new Set<string>(), new Set<string>()];
    let [moved, seconds] = [0, 0];
    for (const target of BOMB_TARGETS) {
      const { rssBytes } = await stage.server.usage();
      forgetPeak(stage.server.pid);
      const startedAt = performance.now();
      answers.add(await stage.ask(requests, target));
      seconds = Math.max(seconds, (performance.now() - startedAt) / 1_000);
      moved = Math.max(moved, (peakBytes(stage.server.pid) - rssBytes) / MIB);
      afterwards.add(await stage.ask(requests + 1, target));
      requests += 2;
    }
    const [, , rss = ''] = await memoryOf(stage.server);
    const codes = [answers, afterwards].map((said) => [...said].join(', '));
    rows.push([
      name,
      Math.ceil(file.length / 1_024),
      codes[0] ?? '',
      seconds.toFixed(1),
      moved.toFixed(0),
      codes[1] ?? '',
      rss,
    ]);
  }
  const head = ['file', 'KiB', 'answers', 'seconds', 'moves MiB', 'an honest one after it', 'RSS MiB'];
  console.log(
    `Each for ${BOMB_TARGETS.join(', ')}: the most of them.\n\n${markdownTable(head, rows)}\n\nMemory is that of the service. Pictures are decoded in a child, which has a bound of its own.`,
  );
}
