import { describe, expect, test } from 'vitest';

import { messageCheck } from '../../../../src/operations/message-check/operation.ts';
import type { OperationContext } from '../../../../src/operations/operation.ts';

const context = { signal: new AbortController().signal } as OperationContext;

async function ask(input: Readonly<Record<string, unknown>>) {
  return (await messageCheck.answer(input, context)).value;
}

/** Each problem as its kind, its path and what Discord said about it. */
async function problemsOf(input: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { problems } = await ask(input);
  return problems.map(({ kind, path, discord }) => `${kind} ${path ?? '(whole)'}: ${discord ?? ''}`);
}

const TOO_LONG = {
  message: 'Invalid Form Body',
  code: 50_035,
  errors: { content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer.' }] } },
};
const JSON_OF_IT = JSON.stringify(TOO_LONG);

describe('an error from Discord is found', () => {
  test.each<[string, unknown]>([
    ['in JSON', JSON_OF_IT],
    ['in a log line with other braces', `failed { while: ${JSON_OF_IT} }`],
    ['in JSON that was put into quotes, as n8n prints it', `400 - ${JSON.stringify(JSON_OF_IT)}`],
    ['as Python prints it', JSON_OF_IT.replaceAll('"', "'")],
    ['in an error of discord.js as JSON', { rawError: TOO_LONG, code: 50_035, requestBody: { json: {} } }],
    [
      'in the details that n8n shows',
      {
        errorMessage: 'Bad request',
        errorDetails: { rawErrorMessage: [`400 - ${JSON.stringify(JSON_OF_IT)}`] },
      },
    ],
    ['in an error of axios', { message: 'Request failed', response: { status: 400, data: TOO_LONG } }],
    [
      'in the output of discord.js, with its request',
      "DiscordAPIError[50035]: Invalid Form Body\ncontent[BASE_TYPE_MAX_LENGTH]: Must be 2000 or fewer.\n    at run (/a.js:1:2) {\n  json: {\nflags: 64,\nembeds: 'x'\n",
    ],
    [
      'in the output of discord.py',
      '400 Bad Request (error code: 50035): Invalid Form Body\nIn content: Must be 2000 or fewer.',
    ],
  ])('%s', async (_, error) => {
    expect(await problemsOf({ error })).toEqual(['discord content: Must be 2000 or fewer.']);
  });

  test('in a response that a script of Google has cut off', async () => {
    const error =
      'Truncated server response: {"code": 50035, "errors": {"embeds": {"0": {"title": {"_errors": [{"message": "Must be 256 or... (use muteHttpExceptions option to examine full response)';
    expect(await problemsOf({ error })).toEqual(['discord embeds[0].title: Must be 256 or']);
  });
});

const row = (...components: readonly unknown[]) => ({
  content: 'x',
  components: [{ type: 1, components }],
});

describe('a refusal is joined with its explanation', () => {
  test.each<[string, unknown, unknown, string[], string?]>([
    [
      'an embed that is empty',
      { embeds: [{}] },
      '400 Bad Request (error code: 50006): Cannot send an empty message',
      ['empty embeds[0]: Cannot send an empty message'],
    ],
    [
      'all that is wrong, where no place is named',
      { embeds: [{ title: 'x'.repeat(300) }] },
      'DiscordAPIError[50035]: Invalid Form Body',
      ['too_long embeds[0].title: Invalid Form Body'],
    ],
    [
      'a missing flag, where Discord names a component',
      { content: 'x', components: [{ type: 10, content: 'y' }] },
      'Invalid Form Body\ncomponents[0][UNION_TYPE_CHOICES]: Value of field "type" must be one of (1,).',
      ['missing flags: Value of field "type" must be one of (1,).'],
    ],
    [
      'the sum of all embeds, where Discord names one',
      { embeds: [{ description: 'x'.repeat(4_000) }, { description: 'x'.repeat(4_000) }] },
      'Invalid Form Body\nembeds[0]: Embed size exceeds maximum size of 6000',
      ['too_long embeds: Embed size exceeds maximum size of 6000'],
    ],
    [
      'the sum of all embeds, where Discord names a text in one',
      { embeds: [{ description: 'x'.repeat(4_000) }, { description: 'x'.repeat(4_000) }] },
      'Invalid Form Body\nembeds[1].description: Embed size exceeds maximum size of 6000',
      ['too_long embeds: Embed size exceeds maximum size of 6000'],
    ],
    [
      'two menus in a row',
      row({ type: 5, custom_id: 'a' }, { type: 5, custom_id: 'b' }),
      'Invalid Form Body\ncomponents[0].components[1]: The specified component exceeds the maximum width',
      ['too_many components[0].components: The specified component exceeds the maximum width'],
    ],
    [
      'a notice, which then is a problem',
      { embeds: [{ title: 'x', image: { url: '' } }] },
      'Invalid Form Body\nIn embeds.0.image.url: Not a well formed URL.',
      ['empty embeds[0].image.url: Not a well formed URL.'],
    ],
    [
      'nothing of ours, with the place in the wrapper',
      { type: 4, data: { content: 'x' } },
      'Invalid Form Body\ndata.embeds[0].title: Must be 256 or fewer in length.',
      ['discord data.embeds[0].title: Must be 256 or fewer in length.'],
      'interaction',
    ],
  ])('%s', async (_, message, error, expected, sender = 'bot') => {
    expect(await problemsOf({ message, error, sent_by: sender })).toEqual(expected);
  });

  test('two sentences about one field are both reported', async () => {
    const errors = { content: { _errors: [{ message: 'One.' }, { message: 'Two.' }] } };
    const message = { content: 'x'.repeat(2_001) };
    expect(await problemsOf({ message, error: { code: 50_035, errors } })).toEqual([
      'too_long content: One. Two.',
    ]);
  });
});

test('a webhook token in an error appears nowhere in the response', async () => {
  const token = 'a'.repeat(68);
  const error = `Invalid Form Body\ncontent: see https://discord.com/api/webhooks/123456789012345678/${token}`;
  const message = { content: 'x', [`webhooks/123456789012345678/${token}`]: 1 };
  expect(JSON.stringify({ ...(await ask({ message, error })), fixed: null })).not.toContain(
    token.slice(0, 4),
  );
});

describe('invalid JSON is explained', () => {
  test.each<[string, string, RegExp]>([
    ['a bare text', 'Hello', /line 1, column 1\. It does not begin/],
    ['a quote', '{"content": "He said "hi""}', /column 23\. A text has a quotation mark/],
    ['a line break', '{"content": "a\nb"}', /line 1, column 15\. A text has a line break/],
    ['a comma', '{"content": "x",}', /column 17\. There is a comma before a bracket/],
    ['single quotes', "{'content': 'x'}", /column 2\. It has single quotation marks/],
    ['curly quotes', '{“content”: “x”}', /column 2\. It has curly quotation marks/],
    ['a bare name', '{content: "x"}', /column 2\. A name has no quotation marks/],
    ['undefined', '{"content": undefined}', /column 13\. A word is neither/],
    ['a placeholder', '{"content": {{text}} }', /A placeholder was not filled in/],
    [
      'a bracket in a bracket',
      '{ "embeds": { { "title": "x" } } }',
      /A bracket, a comma or a quotation mark/,
    ],
    ['an end that is missing', '{"content": "x"', /It ends too early/],
    [
      'a builder of discord.js',
      "new EmbedBuilder().setTitle('x')",
      /line 1, column 1\. This is JavaScript\. Paste what JSON\.stringify\(message\) gives\.$/,
    ],
    [
      'a call of discord.js',
      "const x = 1;\nawait channel.send({ content: 'x' });",
      /column 1\. This is JavaScript/,
    ],
    ['a builder in a message', '{ "embeds": [new EmbedBuilder()] }', /column 14\. This is JavaScript/],
    [
      'an object of JavaScript',
      "{ content: 'x', embeds: [embed] }",
      /In JavaScript, JSON\.stringify\(message\)/,
    ],
    [
      'a dict of Python',
      "{'content': None, 'tts': True}",
      /column 2\. This is Python\. Paste what json\.dumps/,
    ],
    ['a word of Python', '{"content": None}', /column 13\. This is Python/],
    ['a single-quoted dict', "{'content': 'x'}", /In Python, json\.dumps\(message\)/],
    ['an embed of discord.py', "embed = discord.Embed(title='x')", /This is Python/],
    ['code in a text', '{"content": "const x = new Map() "now""}', /A text has a quotation mark/],
  ])('with its position: %s', async (_, message, expected) => {
    const { problems } = await ask({ message });
    expect(problems.map(({ kind, text }) => `${kind} ${text}`)).toEqual([expect.stringMatching(expected)]);
  });
});

describe('hostile input costs work in proportion to its length', () => {
  const LENGTH = 256 * 1024;

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['braces', { error: '{'.repeat(LENGTH) }],
    ['beginnings of objects', { error: '{"'.repeat(LENGTH / 2) }],
    ['objects that are no JSON', { error: '{"a"}'.repeat(LENGTH / 5) }],
  ])('%s in an error are each read only a few times', async (_, input) => {
    const parse = JSON.parse;
    let units = 0;
    JSON.parse = (text: string, reviver) => {
      units += text.length;
      return parse(text, reviver);
    };
    try {
      await expect(ask(input)).rejects.toMatchObject({ code: 'invalid_field', field: 'error' });
    } finally {
      JSON.parse = parse;
    }
    expect(units).toBeLessThan(16 * LENGTH);
  });

  test('deeply nested JSON in a message is not read as a list', async () => {
    const message = { embeds: `${'['.repeat(50_000)}${']'.repeat(50_000)}` };
    expect(await problemsOf({ message })).toEqual(['type embeds: ']);
  });
});
