import { describe, expect, test } from 'vitest';

import { isDiscordError, splitBoth } from '../../../src/http/docs/assets/what-went-wrong/message-or-error.js';

describe('a pasted text', () => {
  test.each([
    '{"content": "Hello"}',
    '```json\n{"embeds": [{"title": "x"}]}\n```',
    '{"embeds": ["{\\"title\\": \\"x\\"}"]}',
    '{"content": "He said "hi""}',
    '{ content: "x" }',
    '{"content": "Invalid Form Body"}',
    '{"type": 4, "data": {"content": "x"}}',
    '{"embeds": []}',
    '{"contents": "Hello"}',
    '[{"title": "x"}]',
    "new EmbedBuilder().setTitle('x')",
    'await channel.send({ embeds: [embed] })',
    "embed = discord.Embed(title='x')",
  ])('is a message: %s', (pasted) => {
    expect(isDiscordError(pasted)).toBe(false);
  });

  test.each([
    '{"embeds": ["0"]}',
    "{'embeds': ['0']}",
    '{"content": ["Must be 2000 or fewer in length."]}',
    '{"message": "Cannot send an empty message", "code": 50006}',
    '{"code": 50035, "errors": {"embeds": {}}, "message": "Invalid Form Body"}',
    "{'message': 'Invalid Form Body', 'code': 50035}",
    '```\nDiscordAPIError[50035]: Invalid Form Body\n```',
    '400 Bad Request (error code: 50035): Invalid Form Body\nIn embeds.0.title: Must be 256 or fewer in length.',
    'content: Must be 2000 or fewer in length.',
    '{"errorMessage": "Bad request", "errorDetails": {"rawErrorMessage": ["400 - Invalid Form Body"]}}',
    'Hello',
  ])('is no message: %s', (pasted) => {
    expect(isDiscordError(pasted)).toBe(true);
  });
});

describe('a message and an error pasted below each other are told apart', () => {
  const message = JSON.stringify({ embeds: [{ title: 'x', fields: [{ name: 'a', value: 'b' }] }] }, null, 2);
  const printed = 'Invalid Form Body\nembeds[0].title[X]: Must be 256 or fewer in length.';

  test.each([
    ['what a library printed, then the message', `${printed}\n${message}`, printed],
    ['the message, then what a library printed', `${message}\n\n${printed}`, printed],
    ['two bodies', `{"embeds": ["0"]}\n${message}`, '{"embeds": ["0"]}'],
    ['the message, then a body', `${message}\n{"embeds": ["0"]}`, '{"embeds": ["0"]}'],
  ])('%s', (_, pasted, answer) => {
    const both = splitBoth(pasted);
    expect([both?.message.trim(), both?.answer.trim()]).toEqual([message, answer]);
  });

  test.each([message, printed, `Look:\n${message}`, '{\n"content": "Invalid Form Body"\n}'])(
    'and only one of them stays whole: %s',
    (pasted) => {
      expect(splitBoth(pasted)).toBeNull();
    },
  );
});
