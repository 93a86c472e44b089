import { expect, test } from 'vitest';

import { isTextPlaceholder } from '../../../src/operations/fields.ts';

test.each([
  '{message}',
  ' {option_text}\n',
  '{event.message}',
  '{{ $json.body["text"] }}',
  '{{1.text}}',
  '${message}',
  '$message[1]',
  '$message',
  '$noMentionMessage',
  '$guildID',
  '%message%',
  '<%= text %>',
])('%j is a placeholder instead of a text', (text) => {
  expect(isTextPlaceholder(text)).toBe(true);
});

test.each([
  '$help',
  '$raid',
  '$guildid',
  '$message me',
  '$100',
  '{}',
  '{ "a": 1 }',
  '{"a":1}',
  '{a} and {b}',
  '{{a}} {{b}}',
  '{a b c}',
  '[test]',
  '<b>',
  '<@123456789012345678>',
  '<t:1700000000:R>',
  '100%',
  'ban {user}',
  '',
])('%j is a text', (text) => {
  expect(isTextPlaceholder(text)).toBe(false);
});
