import { expect, test } from 'vitest';

import type { Delivery, DeliveryResult } from '../../../src/deliveries/deliveries.ts';
import { IdempotencyRecords } from '../../../src/deliveries/idempotency-records.ts';
import { storeWith } from '../../integration/send/deliveries-setup.ts';

const RESULT: DeliveryResult = {
  state: 'sent',
  total: 1,
  messageIds: ['1100000000000000001'],
  channelId: '1000000000000000001',
  uncertain: false,
  reason: null,
  retryAfterSeconds: null,
};

function deliveryWith(idempotencyKey: string, tenantId = '1'): Delivery {
  return {
    webhook: { id: '110000000000000000', token: 'x'.repeat(68) },
    guildId: tenantId,
    tenantId,
    bodies: [],
    total: 1,
    withComponents: false,
    threadId: null,
    makesThread: false,
    idempotencyKey,
    input: 'input',
    startedAt: 0,
  };
}

/** Posts, unless the same request was answered before. */
async function once(records: IdempotencyRecords, delivery: Delivery, send: () => Promise<DeliveryResult>) {
  const reservation = await records.reserve(delivery);
  if (reservation.earlier !== null) return reservation.earlier;
  try {
    const result = await send();
    await reservation.save(result);
    return result;
  } catch (error) {
    await reservation.release(error);
    throw error;
  }
}

const post = () => Promise.resolve(RESULT);
const never = () => Promise.reject(new Error('It must not be posted.'));

test('a server and a process have a bounded number of records, and none is dropped before its time', async () => {
  const records = new IdempotencyRecords({ store: null, keptMs: 600_000, keysPerGuildMax: 2, keysMax: 3 });
  await once(records, deliveryWith('a'), post);
  await once(records, deliveryWith('b'), post);
  await expect(once(records, deliveryWith('c'), post)).rejects.toMatchObject({ code: 'busy' });
  await once(records, deliveryWith('a', '2'), post);
  await expect(once(records, deliveryWith('b', '2'), post)).rejects.toMatchObject({ code: 'busy' });
  for (const key of ['a', 'b']) expect(await once(records, deliveryWith(key), never)).toEqual(RESULT);
});

test('a key stops counting when its request failed with nothing posted', async () => {
  const records = new IdempotencyRecords({ store: null, keptMs: 600_000, keysPerGuildMax: 1 });
  await expect(once(records, deliveryWith('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await once(records, deliveryWith('b'), post)).toEqual(RESULT);
});

test('a key whose process died gets a conflict that says to look into the channel', async () => {
  let begun = '';
  const dying = new IdempotencyRecords({
    keptMs: 600_000,
    store: storeWith({
      reserveKey(_name, record) {
        begun = record;
        return Promise.resolve(null);
      },
    }),
  });
  void once(dying, deliveryWith('a'), () => new Promise(() => {}));
  const other = new IdempotencyRecords({
    keptMs: 600_000,
    store: storeWith({ reserveKey: () => Promise.resolve(begun) }),
  });
  await expect(once(other, deliveryWith('a'), post)).rejects.toMatchObject({
    key: 'idempotency_conflict/under_way',
    retryAfterSeconds: 25,
  });
  expect(begun).not.toContain('"a"');
});

test.each(['', 'process_delivery input', '{"input":1}'])(
  'a record of another version gets a conflict, and nothing is posted: %j',
  async (record) => {
    const records = new IdempotencyRecords({
      keptMs: 600_000,
      store: storeWith({ reserveKey: () => Promise.resolve(record) }),
    });
    await expect(once(records, deliveryWith('a'), never)).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  },
);
