import { describe, expect, test } from 'vitest';

import type { OperationContext } from '../../../src/operations/operation.ts';
import { textSplitter } from '../../../src/operations/text-splitter/operation.ts';
import { Problem } from '../../../src/problem.ts';

function unused(): never {
  throw new Error('Splitting a text needs nothing from outside.');
}

function context(signal = new AbortController().signal): OperationContext {
  const outside = new Proxy({}, { get: unused });
  return {
    ownerId: '0',
    guildId: null,
    now: unused,
    token: null,
    signal,
    images: outside as OperationContext['images'],
    members: outside as OperationContext['members'],
    tokenMembers: outside as OperationContext['tokenMembers'],
  };
}

async function split(input: Record<string, unknown>): Promise<Record<string, unknown>> {
  return (await textSplitter.handle(input, context())).value;
}

async function problemOf(input: Record<string, unknown>): Promise<Problem> {
  try {
    await split(input);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('There was no problem.');
}

describe('text-splitter', () => {
  test('answers with the chunks and what they were made for', async () => {
    expect(await split({ text: 'one two three', max_length: 8 })).toEqual({
      ok: true,
      count: 2,
      chunks: ['one two', 'three'],
      max_length: 8,
      total_length: 13,
      truncated: false,
    });
  });

  test('gives no chunks for an empty or blank text', async () => {
    expect(await split({ text: '' })).toMatchObject({ count: 0, chunks: [], total_length: 0 });
    expect(await split({ text: ' \n ' })).toMatchObject({ count: 0, chunks: [], total_length: 3 });
  });

  test('says in detail where each chunk comes from', async () => {
    expect(await split({ text: 'x **😀 bold** y', max_length: '11', details: 'yes' })).toMatchObject({
      chunks: ['x **😀**', '**bold** y'],
      pieces: [
        {
          start: 0,
          end: 6,
          length: 8,
          length_codepoints: 7,
          added_prefix: '',
          added_suffix: '**',
          cut: 'space',
        },
        {
          start: 7,
          end: 15,
          length: 10,
          length_codepoints: 10,
          added_prefix: '**',
          added_suffix: '',
          cut: 'end',
        },
      ],
    });
  });

  test('gives one chunk by its index, none beyond the end', async () => {
    const input = { text: 'one two three', max_length: 8, details: true };
    expect(await split({ ...input, index: '2' })).toMatchObject({
      count: 2,
      chunks: ['three'],
      pieces: [{ start: 8 }],
    });
    expect(await split({ ...input, index: 3 })).toMatchObject({ count: 2, chunks: [], pieces: [] });
  });

  test.each([
    ['message', 2000],
    ['text_display', 4000],
    ['embed_description', 4096],
    ['Embed_Field', 1024],
    ['embed_footer', 2048],
    ['1500', 1500],
    [100_000, 100_000],
  ])('takes %s as a limit', async (given, limit) => {
    expect(await split({ text: 'x', max_length: given })).toMatchObject({ max_length: limit });
  });

  test('takes every option as text, as it comes in a query', async () => {
    const options = {
      max_length: '60',
      length_unit: 'CodePoints',
      mode: 'code',
      language: 'js',
      prefer: 'line',
      reopen: 'true',
      max_lines: '6',
      prepend: 'a',
      append: 'b',
      counter: '{i}/{n}',
      max_chunks: '2',
      overflow: 'truncate',
      index: '1',
      details: '0',
    };
    expect(await split({ text: 'let a = 1;\n'.repeat(9), ...options })).toEqual({
      ok: true,
      count: 2,
      chunks: ['```js\nlet a = 1;\nlet a = 1;\nlet a = 1;\n```\nb 1/2'],
      max_length: 60,
      total_length: 99,
      truncated: true,
    });
  });

  test('counts the whole text in the unit of the caller', async () => {
    expect(await split({ text: '😀😀' })).toMatchObject({ total_length: 4 });
    expect(await split({ text: '😀😀', length_unit: 'codepoints' })).toMatchObject({ total_length: 2 });
  });

  test.each([
    ['no text', {}, 'missing_field', 'text'],
    ['a text that is none', { text: 5 }, 'invalid_field', 'text'],
    ['a text of over a mebibyte', { text: 'ä'.repeat(524_289) }, 'text_too_long', 'text'],
    ['a limit of nothing', { text: 'x', max_length: 0 }, 'invalid_field', 'max_length'],
    ['a limit that is too large', { text: 'x', max_length: '100001' }, 'invalid_field', 'max_length'],
    ['an unknown place', { text: 'x', max_length: 'constructor' }, 'invalid_field', 'max_length'],
    ['an unknown mode', { text: 'x', mode: 'html' }, 'invalid_field', 'mode'],
    ['a language with a line break', { text: 'x', language: 'js\n' }, 'invalid_field', 'language'],
    ['a long addition', { text: 'x', prepend: 'x'.repeat(201) }, 'invalid_field', 'prepend'],
    [
      'additions over half the limit',
      { text: 'x', max_length: 9, counter: '{i}/{n}' },
      'limit_too_small',
      'max_length',
    ],
    ['an index of nothing', { text: 'x', index: 0 }, 'invalid_field', 'index'],
    ['too many chunks', { text: 'a b c', max_length: 1, max_chunks: 2 }, 'too_many_chunks', 'text'],
    [
      'a fence that fits nowhere',
      { text: 'a b c', max_length: 10, mode: 'code' },
      'limit_too_small',
      'max_length',
    ],
  ])('refuses %s', async (_name, input, code, field) => {
    expect(await problemOf(input)).toMatchObject({ code, field });
  });

  test('takes a text of exactly a mebibyte', async () => {
    const { chunks } = await split({ text: 'ä '.repeat(349_525), max_length: 4096 });
    expect((chunks as string[]).every((chunk) => chunk.length <= 4096)).toBe(true);
  });

  test('stops when the caller is gone', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    const text = '**word** `code` '.repeat(60_000);
    await expect(textSplitter.handle({ text }, context(signal))).rejects.toThrow(/gone|abort/i);
  });
});
