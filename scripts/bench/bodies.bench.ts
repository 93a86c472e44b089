import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { Pool } from 'undici';

import { describeMachine, markdownTable, median, peakBytes } from './measure.ts';
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
const BODY_BYTES = MEBIBYTE;
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

/** Milliseconds are the longest wait of a small request in each round. */
interface Measured {
  readonly name: string;
  readonly statuses: readonly number[];
  readonly idle: readonly number[];
  readonly alone: readonly number[];
  readonly together: readonly number[];
  /** By one body alone, whatever of it was garbage. */
  readonly movedMebibytes: number;
  readonly peakMebibytes: number;
}

/**
 * The costliest bodies up to their bound. Measures how long a small request waits during each, which is the longest
 * turn of the event loop plus the way there and back, and the memory. Options: rounds per body (default 5), bodies at
 * once (default 30); or `unread`, for the memory of answers that nobody reads.
 */
export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'unread') return measureUnread();
  const [rounds = 5, atOnce = 30] = args.map(Number);
  const measured: Measured[] = [];
  for (const each of BODIES) measured.push(await measureBody(each, rounds, atOnce));
  const idle = measured.flatMap((each) => each.idle);
  const slowest = measured
    .toSorted((a, b) => Math.min(...b.alone) - Math.min(...a.alone))
    .slice(0, SLOWEST_SHOWN);
  console.log(describeMachine());
  console.log(
    `The longest wait of small requests on another connection, in ms, while one body alone and ${atOnce} of one key at once are read; least and median of ${rounds} rounds; the ${SLOWEST_SHOWN} of ${measured.length} that hold it up longest\n`,
  );
  console.log(
    markdownTable(
      ['body', 'status', 'alone', 'median', 'moves MiB', `${atOnce} at once`, 'median'],
      [
        ['nothing', '', ...describeRounds(idle), '', '', ''],
        ...slowest.map(({ name, statuses, alone, together, movedMebibytes }) => [
          name,
          statuses.join(', '),
          ...describeRounds(alone),
          movedMebibytes.toFixed(0),
          ...describeRounds(together),
        ]),
      ],
    ),
  );
  const moved = Math.max(...measured.map(({ movedMebibytes }) => movedMebibytes));
  const peak = Math.max(...measured.map(({ peakMebibytes }) => peakMebibytes));
  console.log(`\nOne body moves at most ${moved.toFixed(0)} MiB; RSS at most ${peak.toFixed(0)} MiB`);
}

/** Answers of one server that nobody reads; of those who may not have one at a time, the answer is a refusal. */
const UNREAD = 115;
/** In JSON, each of these is six bytes, and a flat answer says it twice. */
const LONGEST_IN_JSON = '\u0001';

async function measureUnread(): Promise<void> {
  console.log(describeMachine());
  const rows: string[][] = [];
  for (const kibibytes of [64, 1024]) {
    const service = await startService();
    const before = peakOf(service);
    const { hostname, port } = new URL(service.url);
    const text = LONGEST_IN_JSON.repeat(kibibytes * 1024);
    const head = [
      'POST /api/text-splitter?flat=true&details=true HTTP/1.1',
      `Host: ${hostname}`,
      `Authorization: ${service.key}`,
      'Content-Type: text/plain',
      `Content-Length: ${text.length}`,
    ];
    const sockets = Array.from({ length: UNREAD }, () => {
      // Nobody listens for its data, so nothing is read.
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
      return socket;
    });
    let most = before;
    for (let quietSeconds = 0; quietSeconds < 5; quietSeconds += 1) {
      await wait(1_000);
      const now = peakOf(service);
      if (now > most + 1) quietSeconds = 0;
      most = Math.max(most, now);
    }
    rows.push([`${kibibytes} KiB`, before.toFixed(0), most.toFixed(0)]);
    for (const socket of sockets) socket.destroy();
    await service.stop();
  }
  console.log(`\nRSS in MiB while nobody reads ${UNREAD} flat answers of text-splitter with their details\n`);
  console.log(markdownTable(['text of each', 'before', 'at most'], rows));
}

/** Each with a service of its own: what others left free would hide what a body takes. */
async function measureBody(each: Body, rounds: number, atOnce: number): Promise<Measured> {
  const service = await startService();
  const pool = new Pool(service.url, { connections: 200 });
  try {
    const bytes = each.make();
    const statuses = new Set<number>();
    const sendOne = async () => statuses.add(await send(pool, service, each, bytes));
    const sendMany = () => Promise.all(Array.from({ length: atOnce }, sendOne));
    const measure = async (work: () => Promise<unknown>) => {
      const longest: number[] = [];
      for (let round = 0; round < rounds; round += 1)
        longest.push(Math.max(...(await waitWhile(service, work))));
      return longest;
    };
    const idle = await measure(() => wait(200));
    const before = peakOf(service);
    // To warm up.
    await sendOne();
    const alone = await measure(sendOne);
    const movedMebibytes = peakOf(service) - before;
    await sendMany();
    const together = await measure(sendMany);
    const peakMebibytes = peakOf(service);
    return { name: each.name, statuses: [...statuses], idle, alone, together, movedMebibytes, peakMebibytes };
  } finally {
    await pool.destroy();
    await service.stop();
  }
}

const peakOf = (service: ServiceProcess) => peakBytes(service.process.pid) / MEBIBYTE;

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

/** Milliseconds that each of many small requests in a row waits for its answer until `work` is done. */
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

/** Other work on the machine can only add time: the least is nearest to what a body costs. */
function describeRounds(longest: readonly number[]): string[] {
  return [Math.min(...longest).toFixed(1), median(longest).toFixed(1)];
}
