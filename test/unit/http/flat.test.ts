import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { flatten } from '../../../src/http/answer/flat.ts';
import { isStreamedValue, type StreamedIds, type StreamedValue } from '../../../src/kernel/streamed-value.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';

/** Ids whose JSON comes in pieces of any length; `onPiece` sees each that is taken. */
function largeIds(ids: readonly string[], pieceLength: number, onPiece = () => {}): StreamedIds {
  const json = Buffer.from(JSON.stringify(ids));
  return {
    idCount: ids.length,
    jsonByteLength: json.length,
    toJSON: () => ids,
    *jsonBytes() {
      for (let at = 0; at < json.length; at += pieceLength) {
        onPiece();
        yield json.subarray(at, at + pieceLength);
      }
    },
  };
}

describe('a flat answer', () => {
  test('has "" for null, and one level of keys', () => {
    expect(flatten({ ok: true, a: null, b: { c: 1, d: { e: false } } }, null)).toEqual({
      ok: true,
      a: '',
      b_c: 1,
      b_d_e: false,
    });
  });

  test('has "" for an object without keys, so that no key of an answer is missing', () => {
    expect(flatten({ flags: {}, a: { b: {} } }, null)).toEqual({ flags: '', a_b: '' });
  });

  test('numbers the entries of a list from 1 and joins them', () => {
    expect(flatten({ ids: ['1', '2'] }, null)).toEqual({ ids_1: '1', ids_2: '2', ids_text: '1, 2' });
    expect(flatten({ ids: ['1', '2'] }, ' ')).toMatchObject({ ids_text: '1 2' });
    expect(flatten({ ids: [] }, null)).toEqual({ ids_text: '' });
  });

  test('joins chunks with a blank line unless a separator is given', () => {
    expect(flatten({ chunks: ['a', 'b'] }, null)).toMatchObject({ chunks_text: 'a\n\nb' });
    expect(flatten({ chunks: ['a', 'b'] }, '|')).toMatchObject({ chunks_text: 'a|b' });
  });

  test('flattens objects in lists', () => {
    expect(flatten({ pieces: [{ start: 0, end: 2 }] }, null)).toEqual({
      pieces_1_start: 0,
      pieces_1_end: 2,
      pieces_text: '{"start":0,"end":2}',
    });
  });

  test('numbers all counts of roles, and joins none of them', () => {
    const roles = Array.from({ length: 250 }, (_, index) => ({ role_id: String(index), count: index }));
    const flat = flatten({ roles }, null);
    expect(flat).toMatchObject({ roles_1_role_id: '0', roles_1_count: 0, roles_250_count: 249 });
    expect(Object.keys(flat)).toHaveLength(500);
  });

  test('numbers only the first 100 entries, but all chunks', () => {
    const list = Array.from({ length: 250 }, (_, index) => String(index));
    const ids = flatten({ ids: list }, ',');
    expect(Object.keys(ids)).toHaveLength(101);
    expect(ids['ids_text']).toBe(list.join(','));
    expect(Object.keys(flatten({ chunks: list }, null))).toHaveLength(251);
  });

  test('reads streamed values as well', () => {
    const large: StreamedValue = {
      toJSON: () => ['7'],
      jsonBytes: () => [Buffer.from('["7"]')],
      jsonByteLength: 5,
    };
    expect(flatten({ members: large }, null)).toEqual({ members_1: '7', members_text: '7' });
  });

  test('of streamed ids equals that of a plain list, and its length is known', () => {
    const id = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
    const separator = fc.oneof(fc.constant(null), fc.string({ maxLength: 8 }), fc.constant('\n"\\é💙'));
    fc.assert(
      fc.property(
        fc.array(id, { maxLength: 130 }),
        fc.integer({ min: 1, max: 60 }),
        separator,
        (ids, pieceLength, between) => {
          const flat = flatten({ members: largeIds(ids, pieceLength) }, between);
          const expected = flatten({ members: ids }, between);
          const text = flat['members_text'];
          if (!isStreamedValue(text)) throw new Error('The text is no streamed value.');
          const json = Buffer.concat([...text.jsonBytes()]);
          expect(JSON.parse(json.toString())).toBe(expected['members_text']);
          expect(text.jsonByteLength).toBe(json.length);
          expect({ ...flat, members_text: text.toJSON() }).toEqual(expected);
        },
      ),
      { seed: 5, numRuns: 500 },
    );
  });

  test('joins ids piece by piece while they are read', () => {
    let taken = 0;
    const ids = Array.from({ length: 10_000 }, (_, index) => String(10n ** 17n + BigInt(index)));
    const flat = flatten({ members: largeIds(ids, 4_096, () => (taken += 1)) }, null);
    // The first hundred are in the first piece.
    expect(taken).toBe(1);
    const text = flat['members_text'];
    if (!isStreamedValue(text)) throw new Error('The text is no streamed value.');
    const pieces = text.jsonBytes()[Symbol.iterator]();
    for (let asked = 1; asked <= 20; asked += 1) {
      pieces.next();
      expect(taken).toBeLessThanOrEqual(1 + asked);
    }
  });

  test('never holds null, a list or an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), (body) => {
        for (const value of Object.values(flatten(body, null))) {
          expect(['string', 'number', 'boolean']).toContain(typeof value);
        }
      }),
      { seed: 1, numRuns: quickOrFull(100, 500) },
    );
  });
});

describe('a flat answer with bodies for Discord', () => {
  test('has one JSON text for each of them, and does not join them', () => {
    const payloads = Array.from({ length: 101 }, (_, index) => ({ content: `"${index}"` }));
    const flat = flatten({ ok: true, payloads }, null);
    expect(flat['payloads_101']).toBe('{"content":"\\"100\\""}');
    expect(flat).not.toHaveProperty('payloads_text');
    expect(flat).not.toHaveProperty('payloads_1_content');
  });
});
