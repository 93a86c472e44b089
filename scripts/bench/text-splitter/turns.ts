import { makeGithubPatterns } from '../../../test/fixtures/text-corpus/github-patterns.ts';
import { makeHostile } from '../../../test/fixtures/text-corpus/hostile.ts';
import { startBenchServer, type BenchServer } from '../image-fit/bench-server.ts';
import { forgetPeak, markdownTable, peakBytes } from '../measure.ts';

/** The longest text. */
const LENGTH = 100_000;
const MIB = 2 ** 20;
const SLOWEST_SHOWN = 5;
const HEAD = ['pattern', 'answer', 'ms', 'longest turn, ms', 'memory, MiB'];

interface Measured {
  readonly name: string;
  readonly status: number;
  readonly ms: number;
  readonly turnMs: number;
  readonly movedBytes: number;
}

/**
 * All hostile patterns, each as long as a text may be, over HTTP to a service of its own: the longest turn of its event
 * loop, and the memory that the request moves. What else runs on the machine can only add: of each, the least counts.
 * @param queries options of text-splitter
 */
export async function measureTurns(queries: readonly string[], rounds: number): Promise<void> {
  await using server = await startBenchServer('quartermaster-server.ts', [
    '--expose-gc',
    // As `npm start` does it.
  ]);
  const texts = [...makeHostile(LENGTH), ...makeGithubPatterns(LENGTH)];
  for (const query of queries) {
    const measured: Measured[] = [];
    for (const [name, text] of texts) measured.push(await measure(server, query, name, text, rounds));
    console.log(
      `${query}: ${texts.length} hostile texts of 100,000 characters over HTTP, least of ${rounds}; those with the longest turns, then those that move most memory:\n`,
    );
    const byTurn = measured.toSorted((a, b) => b.turnMs - a.turnMs).slice(0, SLOWEST_SHOWN);
    const byMemory = measured.toSorted((a, b) => b.movedBytes - a.movedBytes).slice(0, SLOWEST_SHOWN);
    const rows = [...byTurn, ...byMemory].map(({ name, status, ms, turnMs, movedBytes }) => [
      name,
      status,
      ms.toFixed(0),
      turnMs.toFixed(1),
      (movedBytes / MIB).toFixed(0),
    ]);
    console.log(`${markdownTable(HEAD, rows)}\n`);
  }
}

async function measure(
  server: BenchServer,
  query: string,
  name: string,
  text: string,
  rounds: number,
): Promise<Measured> {
  const body = text.slice(0, LENGTH);
  const least = { status: 0, ms: Infinity, turnMs: Infinity, movedBytes: Infinity };
  for (let round = 0; round < rounds; round += 1) {
    const { rssBytes } = await server.usage();
    forgetPeak(server.pid);
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/text-splitter?${query}`, {
      method: 'POST',
      headers: { authorization: server.keys[0] ?? '', 'content-type': 'text/plain' },
      body,
    });
    await answer.arrayBuffer();
    least.status = answer.status;
    least.ms = Math.min(least.ms, performance.now() - startedAt);
    least.movedBytes = Math.min(least.movedBytes, peakBytes(server.pid) - rssBytes);
    least.turnMs = Math.min(least.turnMs, (await server.usage()).loopDelayMaxMs);
  }
  return { name, ...least };
}
