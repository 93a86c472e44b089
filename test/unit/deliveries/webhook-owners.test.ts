import { expect, test } from 'vitest';

import type { DeliveryOrder } from '../../../src/deliveries/deliveries.ts';
import { WebhookOwners } from '../../../src/deliveries/webhook-owners.ts';

const HOUR_MS = 3_600_000;
const GUILD = '300000000000000001';

const order: DeliveryOrder = {
  webhook: { id: '110000000000000000', token: 'x'.repeat(68) },
  guildId: GUILD,
  ownerId: GUILD,
  bodies: [],
  total: 0,
  withComponents: false,
  threadId: null,
  makesThread: false,
  idempotencyKey: null,
  input: '',
  startedAt: 0,
};

test('an unknown webhook is looked up again after a day, however often it is tried before', async () => {
  let now = 0;
  let calls = 0;
  const owners = new WebhookOwners(600_000, () => now);
  const attempt = () =>
    owners.requireOwn(order, () => {
      calls += 1;
      return Promise.resolve(GUILD);
    });
  owners.noteUnknown(order);
  for (let hour = 1; hour < 24; hour += 1) {
    now = hour * HOUR_MS;
    await expect(attempt()).rejects.toMatchObject({ code: 'unknown_webhook' });
    owners.noteUnknown(order);
  }
  expect(calls).toBe(0);
  now = 24 * HOUR_MS;
  await attempt();
  expect(calls).toBe(1);
});
