import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { withWebhookLock, type DeliveryPeers } from '../../../src/deliveries/delivery-peers.ts';

/** Milliseconds that Redis keeps a webhook for a process that says nothing more. */
const TERM_MS = 15_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a webhook stays with a text for as long as it is posted, and is given back then', async () => {
  let lockedUntil = -Infinity;
  const peers: DeliveryPeers = {
    processId: 'here',
    lockWebhook: async () => {
      lockedUntil = Date.now() + TERM_MS;
      return true;
    },
    unlockWebhook: async () => void (lockedUntil = -Infinity),
    takeKey: async (_name, _input, deliveryId) => deliveryId,
    endKey: async () => {},
    look: () => Promise.reject(new Error('Nobody asks here.')),
  };
  const posted = Promise.withResolvers<string>();
  const wait = { endsAt: Infinity, closing: new AbortController().signal };
  const working = withWebhookLock(peers, '1', 'delivery', wait, () => posted.promise);
  for (let seconds = 0; seconds < 60; seconds += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lockedUntil).toBeGreaterThan(Date.now());
  }
  posted.resolve('posted');
  expect(await working).toBe('posted');
  await vi.advanceTimersByTimeAsync(TERM_MS);
  expect(lockedUntil).toBe(-Infinity);
});
