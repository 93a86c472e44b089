import { expect, test } from 'vitest';

import type { DeliveryResult } from '../../../src/deliveries/deliveries.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { Random } from '../../fixtures/random.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';
import { Gate } from '../../simulator/progress.ts';
import { rateLimited, type Fault, type RestCall } from '../../simulator/rest-faults.ts';
import { POST, startSending, texts, type Sending } from './deliveries-setup.ts';

const TEXTS = quickOrFull(100, 400);
const PARTS_MAX = 10;
const SEED = 20_261;
/** The share of messages that meet a fault. */
const FAULT_SHARE = 0.1;
/** The share of faults that keep the caller waiting. */
const PAUSE_SHARE = quickOrFull(0.08, 0.02);

/** Nothing was posted, and a text goes on after a while. */
const LIMITS: readonly Fault[] = [
  { kind: 'answer', answer: rateLimited(0.001, 'user') },
  { kind: 'answer', answer: rateLimited(0.001, 'shared') },
  { kind: 'answer', answer: rateLimited(0.001, 'global') },
  { kind: 'text', status: 429, contentType: 'text/plain', text: 'error code: 1015' },
];

/** Nobody can know whether the message arrived: with the first two it does, with the others it does not. */
const DOUBTFUL: readonly Fault[] = [
  { kind: 'lose answer' },
  { kind: 'lose answer' },
  { kind: 'drop' },
  { kind: 'answer', answer: { status: 502, body: { message: '502: Bad Gateway', code: 0 } } },
  { kind: 'text', status: 503, contentType: 'text/html', text: '<html>' },
  { kind: 'text', status: 200, contentType: 'text/html', text: '<html>' },
];

/** Sends a text until all of it has arrived, as a caller does: the rest of what was stopped is a text of its own. */
async function sendAll(
  { send }: Sending,
  parts: readonly string[],
  onReport: (report: DeliveryResult, left: readonly string[]) => void,
): Promise<void> {
  let left = parts;
  while (left.length > 0) {
    const report = await send(left).catch((error: unknown) => {
      if (error instanceof Problem) return null;
      throw error;
    });
    // Nothing was posted, and that is certain: the same is sent again.
    if (report === null) continue;
    left = left.slice(report.messageIds.length);
    onReport(report, left);
  }
}

test('hundreds of texts arrive in order and complete, and only uncertain ones may arrive twice', async () => {
  const sending = await startSending({ postTimeoutMs: 300 });
  const { discord, webhook } = sending;
  const random = new Random(SEED);
  const met = new Set<Fault>();
  const pick = (faults: readonly Fault[]): Fault | null => {
    const fault = faults[Math.floor(random.next() * faults.length)] ?? null;
    if (fault !== null) met.add(fault);
    if (fault !== null && DOUBTFUL.includes(fault)) doubts += 1;
    return fault;
  };
  /** Calls of which nobody can know whether they arrived. */
  let doubts = 0;
  let pauses = 0;
  const paused: Gate<RestCall>[] = [];
  /** Discord is stuck: the message arrives when nobody waits for the answer any more. */
  const pause = (): Fault => {
    const gate = new Gate<RestCall>();
    paused.push(gate);
    pauses += 1;
    doubts += 1;
    return { kind: 'hold', gate };
  };
  discord.rest.limits.set(POST, { count: 100, windowMs: 10 });
  discord.rest.faults.choose(POST, () => {
    if (random.next() >= FAULT_SHARE) return null;
    return random.next() < PAUSE_SHARE ? pause() : pick([...LIMITS, ...DOUBTFUL]);
  });

  let uncertain = 0;
  let total = 0;
  for (let text = 0; text < TEXTS; text += 1) {
    const parts = texts(1 + Math.floor(random.next() * PARTS_MAX), `text ${text} part`);
    total += parts.length;
    const before = webhook.texts.length;
    const doubtful = new Set<string | undefined>();
    await sendAll(sending, parts, (report, left) => {
      if (!report.uncertain) return;
      uncertain += 1;
      doubtful.add(left[0]);
      for (const gate of paused.splice(0)) gate.release();
    });
    const arrived = webhook.texts.slice(before);
    const isRepeated = (part: string, at: number) => part === arrived[at - 1];
    expect(arrived.filter((part, at) => !isRepeated(part, at))).toEqual(parts);
    expect(arrived.filter((part, at) => isRepeated(part, at) && !doubtful.has(part))).toEqual([]);
  }
  expect(met).toEqual(new Set([...LIMITS, ...DOUBTFUL]));
  expect(pauses).toBeGreaterThan(2);
  expect(total).toBeGreaterThan(5 * TEXTS);
  expect(uncertain).toBeGreaterThan(TEXTS / 4);
  // Each is said; a slow machine may have met more.
  expect(uncertain).toBeGreaterThanOrEqual(doubts);
  expect(sending.deliveries.stats).toMatchObject({ running: 0, waiting: 0 });
});
