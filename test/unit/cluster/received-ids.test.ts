import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { receiveIds } from '../../../src/cluster/received-ids.ts';
import { NUMBERS_TYPE } from '../../../src/cluster/wire.ts';
import { CopiedIds, IdList } from '../../../src/members/index/id-list.ts';

const id = fc.oneof(
  fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 10n ** 16n, max: 2n * 10n ** 18n }),
);

/** As the network may cut them: anywhere. */
function cut(bytes: Buffer, length: number): Buffer[] {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += length) pieces.push(bytes.subarray(at, at + length));
  return pieces;
}

function receive(bytes: Buffer, pieceLength: number, count: number, jsonByteLength: number) {
  const headers = { 'content-type': NUMBERS_TYPE };
  return receiveIds({ status: 200, headers, pieces: cut(bytes, pieceLength) }, count, jsonByteLength);
}

describe('ids that came as numbers', () => {
  test('are the ids that were sent when they are many', () => {
    const ids = BigUint64Array.from({ length: 20_000 }, (_, n) => 10n ** 17n + BigInt(n) * 7_919n);
    const sent = new IdList([new CopiedIds(ids, true)]);
    const received = receive(Buffer.from(ids.buffer), 65_537, ids.length, sent.jsonByteLength);
    expect(received.toJSON()).toEqual([...ids].map(String));
  });

  test('are the ids that were sent, to the byte, wherever the network cuts them', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 50 }), fc.integer({ min: 1, max: 100 }), (ids, pieceLength) => {
        const ranges = ids.length === 0 ? [] : [new CopiedIds(BigUint64Array.from(ids), false)];
        const sent = new IdList(ranges);
        const bytes = Buffer.concat([...sent.idBytes()]);
        const received = receive(bytes, pieceLength, ids.length, sent.jsonByteLength);
        const json = JSON.stringify(ids.map(String));
        expect(Buffer.concat([...received.jsonBytes()]).toString()).toBe(json);
        expect(received.jsonByteLength).toBe(json.length);
        expect(received.toJSON()).toEqual(ids.map(String));
        expect(received.idCount).toBe(ids.length);
      }),
      { seed: 13 },
    );
  });

  test('are refused when one is missing, or half of one, or one too many came', () => {
    const sent = Buffer.alloc(80, 1);
    for (const count of [9, 11]) expect(() => receive(sent, 64, count, 0)).toThrow('another number of ids');
    expect(() => receive(sent.subarray(4), 64, 10, 0)).toThrow('another number of ids');
    expect(receive(sent, 64, 10, 0).idCount).toBe(10);
  });
});
