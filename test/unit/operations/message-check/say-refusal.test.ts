import { expect, test } from 'vitest';

import { sayRefusal } from '../../../../src/operations/send/say-refusal.ts';

test.each([
  [
    'a limit',
    { content: 'secret '.repeat(300) },
    'content',
    'The content has 2,099 characters; Discord takes 2,000.',
  ],
  [
    'a limit inside of the place',
    { embeds: [{ description: 'secret '.repeat(600) }] },
    'embeds[0]',
    'The description of embed 1 has 4,199 characters; Discord takes 4,096.',
  ],
  [
    'a place',
    { embeds: [{ description: 'secret' }] },
    'embeds[0].description',
    'It is about this place: the description of embed 1.',
  ],
  [
    'a name',
    { content: 'x', username: 'Clyde secret' },
    'username',
    'It may not have clyde or discord in it, nor be everyone or here.',
  ],
  ['only the field', { content: 'x' }, 'avatar_url', ''],
])('send names %s when Discord refuses a message, without quoting the text', (_, body, place, expected) => {
  expect(sayRefusal(JSON.stringify(body), place)).toBe(expected);
});
