import { describe, expect, test } from 'vitest';

import { textSplitter } from '../../../../src/operations/text-splitter/operation.ts';
import { Problem } from '../../../../src/kernel/problem.ts';
import { context, splitTexts } from './split-with.ts';

async function split(input: Record<string, unknown>): Promise<Record<string, unknown>> {
  return (await textSplitter.answer(input, context())).value;
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
  test('answers with the chunks and the options used', async () => {
    expect(await split({ text: 'one two three', max_length: 8 })).toEqual({
      ok: true,
      count: 2,
      chunks: ['one two', 'three'],
      max_length: 8,
      total_length: 13,
      truncated: false,
    });
  });

  test('makes no chunks of an empty or blank text', async () => {
    expect(await split({ text: '' })).toMatchObject({ count: 0, chunks: [], total_length: 0 });
    expect(await split({ text: ' \n ' })).toMatchObject({ count: 0, chunks: [], total_length: 3 });
  });

  test('keeps back chunks that may still change while the text continues', async () => {
    const text = `${'word '.repeat(30)}**bold`;
    const first = await split({ text, max_length: 100, final: 'false' });
    expect(first).toMatchObject({ ok: true, count: 0, chunks: [], rest: text });
    const longer = await split({
      text: `${text}** ${'and more words '.repeat(250)}`,
      max_length: 100,
      final: false,
    });
    expect(longer['chunks']).toContainEqual(expect.stringContaining('**bold**'));
    expect(await split({ text: 'end', final: true })).not.toHaveProperty('rest');
  });

  test('makes bodies of the chunks that stay while the text continues', async () => {
    const answer = await split({ text: 'word '.repeat(300), max_length: 500, final: false, as: 'message' });
    expect(answer['payloads']).toHaveLength(1);
    expect(answer).toMatchObject({ count: 1, rest: expect.stringMatching(/^word/) });
  });

  test.each([
    ['counter', '({i}/{n})'],
    ['prepend', 'x'],
    ['append', 'x'],
    ['index', 1],
    ['max_chunks', 3],
    ['details', true],
    ['dialect', 'github'],
  ])('refuses %s while the text continues', async (field, value) => {
    const problem = await problemOf({ text: 'a', final: false, [field]: value });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_field', field: 'final' });
    expect(problem.message).toContain(field);
  });

  test('reports in detail where each chunk comes from', async () => {
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

  test('returns one chunk by its index, none beyond the end', async () => {
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
  ])('accepts %s as a limit', async (given, limit) => {
    expect(await split({ text: 'x', max_length: given })).toMatchObject({ max_length: limit });
  });

  test('accepts options as text, as they arrive in a query', async () => {
    const options = {
      max_length: '60',
      length_unit: 'UTF16',
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

  test('names the code by its language, and counts the characters between its back-ticks', async () => {
    const text = 'before\n```js\nx\n```\nafter';
    const converted = 'before\n``\u200b`js\nx\n``\u200b`\nafter';
    expect(await split({ text, mode: 'code', language: 'md', details: true })).toMatchObject({
      chunks: [`\`\`\`md\n${converted}\n\`\`\``],
      pieces: [{ start: 0, end: converted.length }],
      changes: [{ kind: 'code_ticks', count: 2 }],
      converted,
      total_length: text.length,
    });
    expect(await split({ text: 'x', mode: 'code', details: true })).toMatchObject({
      changes: [],
      converted: 'x',
    });
  });

  test.each([
    ['length_unit', 'codepoints'],
    ['length_unit', 'bytes'],
    ['prefer', 'balanced'],
  ])('suggests a replacement for %s=%s', async (field, value) => {
    const problem = await problemOf({ text: 'a', [field]: value });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_field', field });
    expect(problem.hint).toContain('choose a smaller max_length');
  });

  test.each([
    ['no text', {}, 'missing_field', 'text'],
    ['a value that is not a string', { text: 5 }, 'invalid_field', 'text'],
    ['a text that is too long', { text: 'ä'.repeat(100_001) }, 'text_too_long', 'text'],
    [
      'a text that is too long once it is converted',
      { text: `[a]: https://a.bc/${'u'.repeat(4_000)}\n\n${'[a] '.repeat(100)}`, dialect: 'github' },
      'text_too_long',
      'text',
    ],
    ['an empty limit', { text: 'x', max_length: 0 }, 'invalid_field', 'max_length'],
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
    ['an empty index', { text: 'x', index: 0 }, 'invalid_field', 'index'],
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

  test('accepts additions of up to half a chunk', async () => {
    const ask = { text: 'word '.repeat(20), max_length: 20, prepend: '<', append: '>' };
    expect((await split({ ...ask, counter: '{i}/{n}.' })).count).toBeGreaterThan(1);
    expect(await problemOf({ ...ask, counter: '{i}/{n}..' })).toMatchObject({ code: 'limit_too_small' });
  });

  test('accepts a text of exactly 100,000 characters', async () => {
    const { chunks } = await split({ text: 'ä '.repeat(50_000), max_length: 4096 });
    expect((chunks as string[]).every((chunk) => chunk.length <= 4096)).toBe(true);
  });

  test('stops when the caller disconnects', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    const text = '**word** `code` '.repeat(6_000);
    await expect(textSplitter.answer({ text }, context(signal))).rejects.toThrow(/gone|abort/i);
  });
});

describe('bodies ready to send', () => {
  const long = 'A sentence of words. '.repeat(600);

  test('hold one chunk each as messages, and mention no one', async () => {
    const { payloads, chunks, count, max_length } = await splitTexts({ text: long, as: 'message' });
    expect(payloads).toEqual(chunks.map((content) => ({ content, allowed_mentions: { parse: [] } })));
    expect([count, max_length]).toEqual([7, 2_000]);
  });

  test('hold as many chunks as a message accepts as embeds', async () => {
    const { payloads, count } = await splitTexts({ text: long, as: 'embed', max_length: 1_000 });
    expect(payloads.map(({ embeds }) => embeds?.length)).toEqual([6, 6, 1]);
    expect(count).toBe(3);
    const full = await splitTexts({ text: 'x'.repeat(6_000), as: 'embed' });
    const over = await splitTexts({ text: 'x'.repeat(6_001), as: 'embed' });
    expect([full.count, over.count]).toEqual([1, 2]);
  });

  test('with as=components are text displays, and set the flag for components', async () => {
    const { payloads, max_length } = await splitTexts({ text: long, as: 'components' });
    expect(payloads[0]).toMatchObject({ flags: 32_768, components: [{ type: 10 }] });
    expect(max_length).toBe(4_000);
  });

  test('have shorter chunks when these have too many bytes', async () => {
    const { payloads, max_length } = await splitTexts({ text: '漢字。'.repeat(3_000), as: 'components' });
    expect(max_length).toBe(3_386);
    expect(payloads).toHaveLength(3);
  });

  test('never use a longer max_length than Discord allows', async () => {
    expect((await splitTexts({ text: long, as: 'message', max_length: 4_096 })).max_length).toBe(2_000);
  });

  test('are single with index, beside the chunks in it', async () => {
    const whole = await splitTexts({ text: long, as: 'embed', max_length: 1_000 });
    const second = await splitTexts({ text: long, as: 'embed', max_length: 1_000, index: 2, details: true });
    expect(second).toMatchObject({
      count: 3,
      payloads: [whole.payloads[1]],
      chunks: whole.chunks.slice(6, 12),
    });
    expect(second.pieces).toHaveLength(6);
    expect((await splitTexts({ text: long, as: 'embed', index: 99 })).payloads).toEqual([]);
  });

  test('are none for a blank text', async () => {
    expect(await splitTexts({ text: ' ', as: 'embed' })).toMatchObject({ count: 0, payloads: [] });
  });
});

describe('the dialect of GitHub', () => {
  test('is converted only on request', async () => {
    expect((await splitTexts({ text: '#### a' })).chunks).toEqual(['#### a']);
    expect((await splitTexts({ text: '#### a', dialect: 'github' })).chunks).toEqual(['**a**']);
  });

  test('has its changes and the references of the pieces, with details', async () => {
    const text = `#### a\n\n${'b c. '.repeat(500)}`;
    const { converted, changes, pieces, chunks } = await splitTexts({
      text,
      dialect: 'github',
      details: true,
    });
    expect(changes).toEqual([{ kind: 'heading', count: 1 }]);
    expect(chunks).toEqual(pieces?.map(({ start, end }) => converted?.slice(start, end)));
    expect(await split({ text, details: true })).not.toHaveProperty('converted');
  });

  test('has tables with their header in each chunk', async () => {
    const rows = Array.from({ length: 400 }, (_, row) => `| name ${row} | ${row} |`).join('\n');
    const text = `Before.\n\n| Name | Number |\n|--|--|\n${rows}\n\nAfter.`;
    for (const counter of ['', '({i}/{n})']) {
      const { chunks } = await splitTexts({ text, dialect: 'github', counter });
      expect(chunks.length).toBeGreaterThan(2);
      for (const chunk of chunks) expect(chunk).toMatch(/```\nName {6}Number\n-+ {2}-+\nname/);
    }
  });

  test('is accepted only with Markdown', async () => {
    expect(await problemOf({ text: 'a', dialect: 'github', mode: 'code' })).toMatchObject({
      code: 'invalid_field',
      field: 'dialect',
    });
  });
});
