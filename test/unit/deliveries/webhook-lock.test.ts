import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import {
  withWebhookLock,
  type DeliveryPeers,
  type WebhookTurn,
} from '../../../src/deliveries/delivery-peers.ts';

const TERM_MS = 15_000;

let now = 0;

beforeEach(() => {
  now = 0;
  // Renewals come when a test lets them; the short pause between two attempts is a real one.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void vi.useRealTimers());

/** Time passes while this process runs. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    now += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
  }
}

/** Time passes while this process is suspended. */
function standStill(ms: number): void {
  now += ms;
}

/** What Redis keeps, for a term after it was asked. */
class Lock implements DeliveryPeers {
  readonly processId = 'here';
  readonly termMs = TERM_MS;
  isAway = false;
  holder: string | null = null;
  last: string | null = null;
  until = -Infinity;
  asked = 0;

  lockWebhook = async (_webhookId: string, deliveryId: string, hadIt: boolean) => {
    this.asked += 1;
    if (this.isAway) return 'away';
    const isHeld = this.holder !== null && this.until > performance.now();
    if (isHeld && this.holder !== deliveryId) return 'taken';
    if (hadIt && this.last !== deliveryId) return 'taken';
    [this.holder, this.last, this.until] = [deliveryId, deliveryId, performance.now() + TERM_MS];
    return 'ours';
  };

  unlockWebhook = async () => void (this.holder = null);
  takeKey = async (_name: string, _input: string, deliveryId: string) => deliveryId;
  endKey = async () => {};
  readStatus = () => Promise.reject(new Error('Nobody asks here.'));
}

/** A text that holds the lock until `end` is called. */
async function startPosting(lock: Lock, name = 'delivery') {
  const begun = Promise.withResolvers<WebhookTurn>();
  const end = Promise.withResolvers<string>();
  const wait = { endsAt: Infinity, closing: new AbortController().signal };
  const working = withWebhookLock(lock, '1', name, wait, (turn) => {
    begun.resolve(turn);
    return end.promise;
  });
  return { turn: await begun.promise, working, end: () => end.resolve('posted') };
}

test('a webhook stays with a text for as long as it is posted, and is given back then', async () => {
  const lock = new Lock();
  const { turn, working, end } = await startPosting(lock);
  await pass(60_000);
  expect(lock.until).toBeGreaterThan(now);
  expect(turn.isOurs()).toBe(true);
  const { asked } = lock;
  await turn.require();
  expect(lock.asked).toBe(asked);
  end();
  expect(await working).toBe('posted');
  await pass(TERM_MS);
  expect(lock.holder).toBeNull();
});

test('after it was suspended for a term, a process goes on only when nobody had the webhook in the meantime', async () => {
  const lock = new Lock();
  const { turn, end } = await startPosting(lock);
  standStill(TERM_MS - 1);
  expect(turn.isOurs()).toBe(true);
  standStill(1);
  expect(turn.isOurs()).toBe(false);
  await turn.require();
  expect(turn.isOurs()).toBe(true);
  end();
});

test.each([
  ['posts at that moment', false],
  ['has posted and is done', true],
])('it stops when another text %s', async (_, isDone) => {
  const lock = new Lock();
  const { turn, end } = await startPosting(lock);
  standStill(TERM_MS);
  const other = await startPosting(lock, 'other');
  if (isDone) {
    other.end();
    await other.working;
  }
  await expect(turn.require()).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('another text') as string,
  });
  expect(turn.isOurs()).toBe(false);
  end();
});

test('it waits for an answer when it was suspended and the others cannot be asked yet', async () => {
  const lock = new Lock();
  const { turn, end } = await startPosting(lock);
  standStill(TERM_MS);
  lock.isAway = true;
  const requiring = turn.require();
  const { asked } = lock;
  await vi.waitFor(() => expect(lock.asked).toBeGreaterThan(asked), 5_000);
  [lock.isAway, lock.last] = [false, 'other'];
  await expect(requiring).rejects.toMatchObject({ code: 'busy' });
  end();
});

test('while the others cannot be asked for long, each process keeps its own order', async () => {
  const lock = new Lock();
  lock.isAway = true;
  const alone = await startPosting(lock);
  standStill(10 * TERM_MS);
  expect(alone.turn.isOurs()).toBe(true);
  alone.end();

  lock.isAway = false;
  const { turn, end } = await startPosting(lock);
  lock.isAway = true;
  await pass(TERM_MS);
  expect(turn.isOurs()).toBe(false);
  const requiring = turn.require();
  standStill(TERM_MS);
  await requiring;
  await pass(TERM_MS);
  expect(turn.isOurs()).toBe(true);
  // They are back, and another one has it.
  [lock.isAway, lock.last] = [false, 'other'];
  await pass(TERM_MS);
  await expect(turn.require()).rejects.toMatchObject({ code: 'busy' });
  end();
});
