import { expect, test } from 'vitest';

import type { DeliveryHead, DeliveryOrder } from '../../../src/deliveries/deliveries.ts';
import { KnownHeads } from '../../../src/deliveries/known-heads.ts';
import { sharedWith } from '../../integration/send/deliveries-setup.ts';

const HEAD: DeliveryHead = {
  state: 'sent',
  total: 1,
  messageIds: ['1100000000000000001'],
  channelId: '1000000000000000001',
  uncertain: false,
  reason: null,
  retryAfterSeconds: null,
};

function orderWith(idempotencyKey: string, ownerId = '1'): DeliveryOrder {
  return {
    webhook: { id: '110000000000000000', token: 'x'.repeat(68) },
    guildId: ownerId,
    ownerId,
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

const post = () => Promise.resolve(HEAD);
const never = () => Promise.reject(new Error('It must not be posted.'));

test('a server may have only so many heads, a process too, and none is dropped before its time', async () => {
  const heads = new KnownHeads({ shared: null, keptMs: 600_000, perGuildMax: 2, max: 3 });
  await heads.once(orderWith('a'), post);
  await heads.once(orderWith('b'), post);
  await expect(heads.once(orderWith('c'), post)).rejects.toMatchObject({ code: 'busy' });
  await heads.once(orderWith('a', '2'), post);
  await expect(heads.once(orderWith('b', '2'), post)).rejects.toMatchObject({ code: 'busy' });
  for (const key of ['a', 'b']) expect(await heads.once(orderWith(key), never)).toEqual(HEAD);
});

test('a key that failed with nothing posted counts no longer', async () => {
  const heads = new KnownHeads({ shared: null, keptMs: 600_000, perGuildMax: 1 });
  await expect(heads.once(orderWith('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await heads.once(orderWith('b'), post)).toEqual(HEAD);
});

test('a key whose process died is a conflict that says to look into the channel', async () => {
  let begun = '';
  const dying = new KnownHeads({
    keptMs: 600_000,
    shared: sharedWith({
      takeKey(_name, record) {
        begun = record;
        return Promise.resolve(null);
      },
    }),
  });
  void dying.once(orderWith('a'), () => new Promise(() => {}));
  const other = new KnownHeads({
    keptMs: 600_000,
    shared: sharedWith({ takeKey: () => Promise.resolve(begun) }),
  });
  await expect(other.once(orderWith('a'), post)).rejects.toMatchObject({
    key: 'idempotency_conflict/under_way',
    retryAfterSeconds: 25,
  });
  expect(begun).not.toContain('"a"');
});

test.each(['', 'process_delivery input', '{"input":1}'])(
  'a record of another version is a conflict, and nothing is posted: %j',
  async (record) => {
    const heads = new KnownHeads({
      keptMs: 600_000,
      shared: sharedWith({ takeKey: () => Promise.resolve(record) }),
    });
    await expect(heads.once(orderWith('a'), never)).rejects.toMatchObject({ code: 'idempotency_conflict' });
  },
);
