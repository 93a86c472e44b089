import { describe, expect, test } from 'vitest';

import { FieldNames } from '../../../src/operations/field-names.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';

const FIELDS = ['role_id', 'user_id', 'none', 'all', 'sample', 'count_only', 'text'];

/** As a form or a body of JSON brings them. */
function read(json: string, fallback = '{}', keepsEmpty: readonly string[] = []): unknown {
  return new FieldNames({ fields: FIELDS, keepsEmpty }).read(JSON.parse(json), JSON.parse(fallback));
}

function readStrictly(raw: Readonly<Record<string, unknown>>): unknown {
  return new FieldNames({ fields: FIELDS, idFields: ['role_id'] }).read(raw, {});
}

describe('the name of a field', () => {
  test.each([
    ['{"user_id":"1"}', { user_id: '1' }],
    ['{"userId":"1"}', { user_id: '1' }],
    ['{"USERID":"1"}', { user_id: '1' }],
    ['{"user-id":"1"}', { user_id: '1' }],
    ['{"countOnly":true,"Text":"x"}', { count_only: true, text: 'x' }],
    ['{"user_id[]":"1"}', { user_id: '1' }],
    ['{"user_id[]":["1","2"]}', { user_id: ['1', '2'] }],
    ['{"userId[]":["1"]}', { user_id: '1' }],
    ['{"role_id[0]":"1"}', { role_id: '1' }],
    ['{"none[1]":"2","none[0]":"1","none[9999]":"3"}', { none: ['2', '1', '3'] }],
    ['{"none":"1","none[]":"2"}', { none: ['1', '2'] }],
    ['{"none":["1"]}', { none: ['1'] }],
    ['{"none[]":["1",null,""]}', { none: '1' }],
    ['{"none[]":[""]}', {}],
    ['{"none[10000]":"1"}', {}],
    ['{"none[x]":"1","none[0][0]":"1","none[-1]":"1","no ne":"1"}', {}],
  ])('is read in %s', (json, given) => {
    expect(read(json)).toEqual(given);
  });

  test.each([
    ['the documented spelling wins', '{"userId":"2","user_id":"1","USERID":"3"}', { user_id: '1' }],
    ['unless it has no value', '{"userId":"2","user_id":null}', { user_id: '2' }],
    [
      'and others are joined as they come',
      '{"userId":"2","USER_ID":["1","3"]}',
      { user_id: ['2', '1', '3'] },
    ],
    ['but for those without a value', '{"userId":"2","USER_ID":""}', { user_id: '2' }],
  ])('may be spelt in several ways: %s', (_, json, given) => {
    expect(read(json)).toEqual(given);
  });

  test('is read from the fallback, in any spelling, if it has no value in the first source', () => {
    expect(read('{"userId":"1"}', '{"user_id":"2","roleId":"3"}')).toEqual({ user_id: '1', role_id: '3' });
    expect(read('{"userId":null}', '{"user_id":"2"}')).toEqual({ user_id: '2' });
  });

  test('may have an empty text if that is a valid value', () => {
    expect(read('{"Text":""}', '{}', ['text'])).toEqual({ text: '' });
    expect(read('{"text":"","Text":"x"}', '{}', ['text'])).toEqual({ text: '' });
    expect(read('{"Text":""}', '{"text":"x"}')).toEqual({ text: 'x' });
  });

  test('is never one that every object inherits', () => {
    const json =
      '{"__proto__":{"text":"x"},"constructor":"x","toString":"x","__proto__[]":"x","hasOwnProperty":1}';
    expect(read(json)).toEqual({});
    expect(read('{}')).toEqual({});
  });
});

describe('a nearly right name', () => {
  test.each([
    ['user_ids', 'user_id'],
    ['userIds', 'user_id'],
    ['user_ids[]', 'user_id'],
    ['user', 'user_id'],
    ['user_idx', 'user_id'],
    ['usr_id', 'user_id'],
    ['uesr_id', 'user_id'],
    ['role_ids', 'role_id'],
    ['role', 'role_id'],
    ['nones', 'none'],
    ['non', 'none'],
    ['alls', 'all'],
    ['smaple', 'sample'],
    ['countsonly', 'count_only'],
    ['user_id[x]', 'user_id'],
    ['user_id[10000]', 'user_id'],
    ['user_id[0][0]', 'user_id'],
    ['all[in]', 'all'],
    ['none.0', 'none'],
    [' user_id', 'user_id'],
    ['?user_id', 'user_id'],
    ['amp;user_id', 'user_id'],
    ['[user_id]', 'user_id'],
    ['filter[user_id]', 'user_id'],
    ['query.userIds[]', 'user_id'],
  ])('is recognised: %s means %s', (spelt, meant) => {
    expect(() => {
      readStrictly({ [spelt]: '1' });
    }).toThrow(`Did you mean ${meant}?`);
  });

  test.each([
    '_',
    't',
    'ts',
    'v',
    'cb',
    'nonce',
    'NONCE',
    'rnd',
    'utm_source',
    'utm_none',
    'colour',
    'al',
    'ally',
    'no',
    'id',
    'guild',
    'constructor',
    '__proto__',
    '[]',
    '',
    'user_id',
    'USERID[]',
    'all[3]',
    'x'.repeat(100_000),
    ';'.repeat(100_000),
  ])('is left alone when it is not close enough: %s', (spelt) => {
    expect(() => {
      readStrictly(Object.fromEntries([[spelt, '1']]));
    }).not.toThrow();
  });

  test('is ignored without a value', () => {
    expect(() => {
      readStrictly({ user_ids: '', role: null, nones: undefined });
    }).not.toThrow();
  });
});

const OPTIONS = ['flat', 'always_200', 'separator'];
const SHAPES = OPERATIONS.map(({ name, input }) => [name, Object.keys(input.shape)] as const);

test.each(SHAPES)('no two fields of %s are spelt alike', (_, fields) => {
  const spelt = [...fields, ...OPTIONS].map((field) => field.replaceAll('_', ''));
  expect(new Set(spelt).size).toBe(spelt.length);
});

describe('a global option', () => {
  const names = new FieldNames({ fields: FIELDS, mistaken: ['content'], idFields: ['role_id'] }).withOptions([
    'flat',
  ]);

  test('is read with the fields, in any spelling, from the body or else from the query', () => {
    expect(names.read({ text: 'x', Flat: '1' }, { flat: '0' })).toEqual({ text: 'x', flat: '1' });
    expect(names.read({ text: 'x' }, { FLAT: '0' })).toEqual({ text: 'x', flat: '0' });
  });

  test('is an unknown argument to a tool, as is the field of another operation', () => {
    expect(() => names.read({ flat: '1' }, {}, true)).toThrow('flat');
    expect(() => names.read({ content: 'x' }, {}, true)).toThrow('content');
  });

  test('is known, while the field of another operation is unknown', () => {
    expect(['flat', 'TEXT', 'content', 'other'].filter((name) => names.knows(name))).toEqual([
      'flat',
      'TEXT',
    ]);
  });
});
