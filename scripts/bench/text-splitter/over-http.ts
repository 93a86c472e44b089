import { setTimeout as wait } from 'node:timers/promises';

import { markdownTable, median } from '../measure.ts';
import { startService } from '../service-process.ts';

const ROUNDS = 7;
const PING_MS = 5;

/** A long text over HTTP, while another caller asks all the time whether the service is alive. */
export async function measureOverHttp(
  texts: readonly (readonly [name: string, text: string])[],
): Promise<string> {
  const service = await startService();
  try {
    const rows: (string | number)[][] = [];
    for (const [name, text] of texts) {
      const times: number[] = [];
      const worst: number[] = [];
      for (let round = -2; round < ROUNDS; round += 1) {
        const done = new AbortController();
        const pings = ping(`${service.url}/health/live`, done.signal);
        const startedAt = performance.now();
        const response = await fetch(`${service.url}/api/text-splitter?max_length=2000`, {
          method: 'POST',
          headers: { authorization: service.key, 'content-type': 'application/json' },
          body: JSON.stringify({ text }),
        });
        const { length } = await response.text();
        if (!response.ok || length === 0) throw new Error(`${name}: ${response.status}`);
        const time = performance.now() - startedAt;
        done.abort();
        if (round >= 0) times.push(time);
        if (round >= 0) worst.push(await pings);
        else await pings;
      }
      rows.push([name, median(times).toFixed(0), median(worst).toFixed(0)]);
    }
    return markdownTable(['text of 1 MiB', 'answer, ms', 'longest wait of another request, ms'], rows);
  } finally {
    await service.stop();
  }
}

/** @returns the longest time that an answer took */
async function ping(url: string, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    await (await fetch(url)).arrayBuffer();
    longest = Math.max(longest, performance.now() - startedAt);
    await wait(PING_MS);
  }
  return longest;
}
