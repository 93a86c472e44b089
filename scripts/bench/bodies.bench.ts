import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { Pool } from 'undici';

import { describeMachine, markdownTable, median } from './measure.ts';
import { startService, type ServiceProcess } from './service-process.ts';

interface Body {
  readonly name: string;
  readonly path: string;
  readonly type: string | null;
  readonly make: () => string;
}

const MEBIBYTE = 1024 * 1024;
const SLOWEST_SHOWN = 5;
/** The bound of text-splitter, the largest there is. */
const BODY_BYTES = 2 * MEBIBYTE;
/** The bound of a head, without room for the rest of it. */
const QUERY_BYTES = 60 * 1024;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** As many repetitions as fit. */
function fill(bytes: number, head: string, unit: string, tail = ''): string {
  const count = Math.floor((bytes - Buffer.byteLength(head + tail)) / Buffer.byteLength(unit));
  return head + unit.repeat(count) + tail;
}

const body = (name: string, type: string, head: string, unit: string, tail = ''): Body => ({
  name,
  path: '/api/text-splitter',
  type,
  make: () => fill(BODY_BYTES, head, unit, tail),
});
const query = (name: string, unit: string): Body => ({
  name: `query, ${name}`,
  path: `/api/text-splitter?${fill(QUERY_BYTES, 'text=', unit)}`,
  type: null,
  make: () => '',
});

/** Texts are too long for the splitter on purpose: what is measured is reading them. */
const BODIES: readonly Body[] = [
  body('form, +', FORM, 'text=', '+'),
  body('form, %C3%A9', FORM, 'text=', '%C3%A9'),
  body('form, %ff', FORM, 'text=', '%ff'),
  body('form, 999 fields of +', FORM, '', `${'a'.repeat(100)}=${'+'.repeat(1_990)}&`),
  body('JSON, one string', JSON_TYPE, '{"text":"', 'a', '"}'),
  body('JSON, line breaks', JSON_TYPE, '{"text":"', String.raw`\n`, '"}'),
  body('JSON, escapes', JSON_TYPE, '{"text":"', String.raw`\u20ac`, '"}'),
  body('JSON, 9,000 strings', JSON_TYPE, '{"a":[', `"${String.raw`\n`.repeat(110)}",`, '""]}'),
  body('JSON, one number', JSON_TYPE, '{"a":', '1', '}'),
  body('JSON, white space', JSON_TYPE, '{', ' ', '}'),
  body('text, ASCII', 'text/plain', '', 'a'),
  body('text, €', 'text/plain', '', '€'),
  query('+', '+'),
  query('%ff', '%ff'),
  query('a&', 'a&'),
  query('%25', '%25'),
];

/**
 * The costliest bodies up to their bound: how long a small request waits meanwhile, which is the longest turn of the
 * event loop and the way there and back, and memory.
 * Options: rounds of a body alone (default 5), bodies at once (default 30).
 */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 5, atOnce = 30] = args.map(Number);
  const service = await startService();
  const pool = new Pool(service.url, { connections: 200 });
  try {
    const idle: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      idle.push(Math.max(...(await waitWhile(service, () => wait(200)))));
    }
    const rows: { readonly longest: number; readonly cells: string[] }[] = [];
    for (const each of BODIES) {
      const bytes = each.make();
      const statuses = new Set<number>();
      const alone: number[] = [];
      const together: number[] = [];
      const sendOne = async () => statuses.add(await send(pool, service, each, bytes));
      // The first is to warm up.
      for (let round = -1; round < rounds; round += 1) {
        const one = await waitWhile(service, sendOne);
        const many = await waitWhile(service, () => Promise.all(Array.from({ length: atOnce }, sendOne)));
        if (round < 0) continue;
        alone.push(Math.max(...one));
        together.push(Math.max(...many));
      }
      const cells = [
        each.name,
        [...statuses].join(', '),
        ...describeRounds(alone),
        ...describeRounds(together),
      ];
      rows.push({ longest: Math.min(...alone), cells });
    }
    console.log(describeMachine());
    console.log(
      `The longest wait of small requests on another connection, in ms, while one body alone and ${atOnce} of one key at once are read; least and median of ${rounds} rounds; the ${SLOWEST_SHOWN} of ${rows.length} that hold it up longest\n`,
    );
    const slowest = rows.toSorted((a, b) => b.longest - a.longest).slice(0, SLOWEST_SHOWN);
    console.log(
      markdownTable(
        ['body', 'status', 'alone', 'median', `${atOnce} at once`, 'median'],
        [['nothing', '', ...describeRounds(idle), '', ''], ...slowest.map(({ cells }) => cells)],
      ),
    );
    console.log(`\nRSS at most ${peakMebibytes(service)} MiB`);
  } finally {
    await pool.destroy();
    await service.stop();
  }
}

async function send(
  pool: Pool,
  service: ServiceProcess,
  { path, type }: Body,
  bytes: string,
): Promise<number> {
  const response = await pool.request({
    path,
    method: type === null ? 'GET' : 'POST',
    headers: { authorization: service.key, ...(type === null ? {} : { 'content-type': type }) },
    body: type === null ? null : bytes,
  });
  await response.body.dump();
  return response.statusCode;
}

/** How long each of many small requests in a row waits for its answer until `work` is done. */
async function waitWhile(service: ServiceProcess, work: () => Promise<unknown>): Promise<number[]> {
  const probe = new Pool(service.url, { connections: 1 });
  const ask = async () => (await probe.request({ path: '/health/live', method: 'GET' })).body.dump();
  await ask();
  const ended = new AbortController();
  const done = work().finally(() => ended.abort());
  const waits: number[] = [];
  do {
    const startedAt = performance.now();
    await ask();
    waits.push(performance.now() - startedAt);
  } while (!ended.signal.aborted);
  await done;
  await probe.close();
  return waits;
}

/** What else runs on the machine can only add: the least is nearest to what a body costs. */
function describeRounds(longest: readonly number[]): string[] {
  return [Math.min(...longest).toFixed(1), median(longest).toFixed(1)];
}

function peakMebibytes(service: ServiceProcess): string {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0);
}
