import { describe, expect, test } from 'vitest';

import { isAnswer } from '../../../src/http/docs/assets/message-or-answer.js';

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
  ])('is a message: %s', (pasted) => {
    expect(isAnswer(pasted)).toBe(false);
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
    expect(isAnswer(pasted)).toBe(true);
  });
});
