import { expect, test } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';

const MENTIONS = ['<@123456789012345678>', '<@&123456789012345678>', '<#123456789012345678>'];
/** Discord has no mention of a server or of a forum's tag. */
const WITHOUT_MENTION = ['guild_id', 'applied_tags'];

const idFields = OPERATIONS.flatMap(({ name, input }) =>
  Object.entries(input.shape)
    .filter(([, field]) => field.safeParse('123456789012345678').success && !field.safeParse('12').success)
    .map(([field, schema]) => ({ name, field, schema })),
);

test('every field that takes an id takes its mention, except for servers and tags, which have none', () => {
  expect(idFields.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['role_id', 'after', 'client_id']),
  );
  const refusing = idFields
    .filter(({ schema }) => !MENTIONS.some((mention) => schema.safeParse(mention).success))
    .map(({ name, field }) => `${name}: ${field}`);
  const wrong = refusing.filter((each) => !WITHOUT_MENTION.some((field) => each.endsWith(`: ${field}`)));
  expect(wrong, 'use snowflake(kind) with a kind of MENTIONS in fields.ts').toEqual([]);
});
