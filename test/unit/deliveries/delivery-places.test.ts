import { expect, test } from 'vitest';

import { DeliveryPlaces } from '../../../src/deliveries/delivery-places.ts';
import { DELIVERY_SETTINGS } from '../../../src/deliveries/delivery-settings.ts';

test.each([
  ['one webhook', 1, 4, (at: number) => ({ ownerId: `server ${at}`, webhook: 'webhook' })],
  ['one server', 2, 8, (at: number) => ({ ownerId: 'server', webhook: `webhook ${at}` })],
  ['a whole process', 16, 64, (at: number) => ({ ownerId: `server ${at}`, webhook: `webhook ${at}` })],
])('of %s, %i at a time and %i wait; one more is busy', async (_, running, waiting, claimOf) => {
  const closing = new AbortController();
  const places = new DeliveryPlaces(DELIVERY_SETTINGS, closing.signal);
  const taken = Array.from({ length: running + waiting }, (_, at) => places.take(claimOf(at)));
  expect([places.running, places.waiting]).toEqual([running, waiting]);
  await expect(places.take(claimOf(taken.length))).rejects.toMatchObject({ code: 'busy' });

  (await taken[0])?.();
  expect([places.running, places.waiting]).toEqual([running, waiting - 1]);

  closing.abort();
  const ends = await Promise.allSettled(taken);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(running + 1);
  expect(ends.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'shutting_down' } });
});
