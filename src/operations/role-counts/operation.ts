import * as z from 'zod';

import { nonNegativeInt } from '../../kernel/schemas.ts';
import { countsQuery } from '../../members/counts-query.ts';
import { EXAMPLE_GUILD_ID, EXAMPLE_MEMBER_IDS, EXAMPLE_ROLE_ID } from '../examples.ts';
import { askedGuild, askFrom, MEMBERS_SOURCE_FIELDS, TOKEN_PROBLEMS } from '../members-source.ts';
import { defineOperation } from '../define-operation.ts';
import { refuseFilters } from '../filter-names.ts';

export const roleCounts = defineOperation({
  name: 'role-counts',
  path: '/api/role-counts',
  method: 'GET',
  summary: 'Says how many members have each role',
  description: `Says how many members have each role of a server, in ascending order of role ids. @everyone is not in the list:
\`members\` is the number of all members.

With \`source=gateway\` the counts come from the service's own list of members. With a token they come from Discord,
and \`members\` is its approximate member count. The sources are explained at \`role-members\`.

The answer has an \`ETag\`; with \`If-None-Match\`, unchanged counts are a 304.`,
  aboutMembers: true,
  refuseFilters,
  secretHeader: 'Token',
  revalidates: true,
  refusedFields: { role_id: 'invalid_field/role_of_counts' },
  input: z.object(MEMBERS_SOURCE_FIELDS),
  output: z.object({
    guild_id: z.string(),
    roles: z
      .array(z.object({ role_id: z.string(), count: nonNegativeInt }))
      .describe('All roles but @everyone'),
    members: nonNegativeInt.describe('All members of the server'),
    source: z.enum(['gateway', 'token']),
    as_of: nonNegativeInt.describe('The time that these counts are from, in Unix seconds'),
  }),
  example: {
    input: { guild_id: EXAMPLE_GUILD_ID },
    answer: {
      guild_id: EXAMPLE_GUILD_ID,
      roles: [{ role_id: EXAMPLE_ROLE_ID, count: EXAMPLE_MEMBER_IDS.length }],
      members: EXAMPLE_MEMBER_IDS.length + 2,
      source: 'gateway',
      as_of: 1_767_225_600,
    },
    volatileKeys: ['as_of'],
  },
  problems: TOKEN_PROBLEMS,
  async run(input, context) {
    const guildId = askedGuild(input.guild_id, context);
    const question = { guildId };
    const { source, value: counts } = await askFrom(input.source, countsQuery, question, context);
    return {
      value: {
        guild_id: guildId,
        roles: counts.roles.map(({ roleId, count: holders }) => ({ role_id: roleId, count: holders })),
        members: counts.members,
        source,
        as_of: counts.asOf,
      },
      version: JSON.stringify([source, counts.version, question]),
    };
  },
});
