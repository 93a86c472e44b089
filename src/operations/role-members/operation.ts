import * as z from 'zod';

import { CALLER_WAIT_MS } from '../../kernel/caller-wait.ts';
import { nonNegativeInt } from '../../kernel/schemas.ts';
import { membersQuestion, membersQuery } from '../../members/members-query.ts';
import { Problem } from '../../kernel/problem.ts';
import { botsAnswer, botsField } from '../bots-field.ts';
import { EXAMPLE_GUILD_ID, EXAMPLE_MEMBER_IDS, EXAMPLE_ROLE_ID } from '../examples.ts';
import { booleanish, idList, idSchema, streamedValue, snowflake, wholeNumber } from '../fields.ts';
import { askedGuild, askFrom, MEMBERS_SOURCE_FIELDS, TOKEN_PROBLEMS } from '../members-source.ts';
import { defineOperation } from '../define-operation.ts';
import { refuseFilters } from '../filter-names.ts';

/** Ids on a page, which take 2.2 MB as JSON. */
const LIMIT_MAX = 100_000;
/** Ids on a page where the caller is a language model, which reads each of them. */
const LIMIT_OF_TOOL = 100;
/** Roles in one question. */
const ROLES_MAX = 10;
/** Ids in one question, about 2,000 characters of a URL. */
const USERS_MAX = 100;
/** Winners of one giveaway. */
const SAMPLE_MAX = 100;

export const roleMembers = defineOperation({
  name: 'role-members',
  path: '/api/role-members',
  method: 'GET',
  summary: 'Says how many members have one or more roles, and who',
  description: `Says how many members have one or more roles, and who: their user ids in ascending order. At least
one of \`role_id\`, \`all\`, \`any\` and \`none\` is needed. Without \`limit\` you get all of them, 23 bytes each,
or ${LIMIT_OF_TOOL} in a tool for language models. Send \`next_after\` of one page as \`after\` of the next.
\`count_only=true\` leaves the ids out.

A question may name up to ${ROLES_MAX} roles: \`all\` (holds every one), \`any\` (holds at least one) and \`none\` (holds
none of them), as lists or with commas, with or without \`role_id\`. \`user_id\` limits the question to up to ${USERS_MAX}
members: \`count\` says how many of them match. \`sample\` draws up to ${SAMPLE_MAX} of those who match, for giveaways: each has
the same chance, and the order is random. \`count\` is still the number of all who match.

\`bots\` says whether bots count: \`include\`, \`exclude\` or \`only\`. They do by default, but not in a draw, because a
giveaway is for people. The answer says which it was. Members who have not accepted the rules of the server yet
always count.

The list comes from one of two **sources**. \`gateway\` is the service's own list of the members of your key's
server: it is always up to date and answers immediately. \`token\` asks Discord with your own bot's token from the
\`Token\` header, for any server that this bot is in. \`auto\` (the default) takes the first where it is complete,
else the second. An answer has the whole list, or it is 503 \`member_list_unavailable\`.

The token is used for the lookup and then dropped. It is neither stored nor logged. The bot needs the Server
Members Intent. Discord holds you responsible for your bot's token: send it only to a service that you trust.

With a token, all members of the server are read, whatever the question: Discord sends about 1,000 a second. While that
takes longer than ${CALLER_WAIT_MS / 1_000} seconds, the answer is 503 \`member_list_unavailable\`, with its progress and \`retry_after\` in
seconds, and the listing goes on. Send the same request again after that time. The result answers every question
about the server for a minute, and for 10 minutes the requests that were asked to come back.

\`count_only=true\` leaves \`members\` empty and is quick with both sources; with a token, the holders of one role are
counted in one call, unless \`bots\` asks for a part of them. The id of the server as \`role_id\` means all members.

The answer has an \`ETag\`; with \`If-None-Match\`, an unchanged list is a 304.`,
  aboutMembers: true,
  refuseFilters,
  // A draw has no pages.
  mcpDefaults: ({ sample }) => (sample === undefined ? { limit: LIMIT_OF_TOOL } : {}),
  secretHeader: 'Token',
  revalidates: true,
  input: z.object({
    ...MEMBERS_SOURCE_FIELDS,
    role_id: snowflake('role').optional().describe('The role; the id of the server means all members'),
    all: idList('role', ROLES_MAX).optional().describe('Roles of which the member must hold every one'),
    any: idList('role', ROLES_MAX).optional().describe('Roles of which the member must hold at least one'),
    none: idList('role', ROLES_MAX).optional().describe('Roles of which the member must hold none'),
    user_id: idList('user', USERS_MAX).optional().describe('Ask only about these members'),
    sample: wholeNumber(1, SAMPLE_MAX).optional().describe('Draw this many at random'),
    bots: botsField().describe('Whether bots count; by default `include`, and with `sample` `exclude`'),
    count_only: booleanish(false).describe('Leave `members` empty'),
    limit: wholeNumber(1, LIMIT_MAX)
      .optional()
      .describe(
        `The most ids in one answer; by default all, which can be thousands, or ${LIMIT_OF_TOOL} in a tool for language models`,
      ),
    after: z
      .preprocess((value) => (value === '0' ? undefined : value), snowflake('user').optional())
      .describe('Only ids after this one; `0` begins at the start')
      .meta({ pattern: `^0$|${idSchema('user').pattern}` }),
  }),
  output: z.object({
    guild_id: z.string(),
    role_id: z.string().nullable().describe('The role that was asked for; null without one'),
    count: nonNegativeInt.describe('Number of members who match, on all pages together'),
    members: streamedValue(z.array(z.string())).describe(
      'User ids in ascending order; with `sample`, the ids that were drawn, in random order',
    ),
    returned: nonNegativeInt.describe('Number of ids in `members`'),
    next_after: z
      .string()
      .nullable()
      .describe('Send it as `after` for the next page; null when there is none'),
    bots: botsAnswer,
    source: z.enum(['gateway', 'token']),
    as_of: nonNegativeInt.describe('The time that this version of the list is from, in Unix seconds'),
  }),
  example: {
    input: { guild_id: EXAMPLE_GUILD_ID, role_id: EXAMPLE_ROLE_ID },
    answer: {
      guild_id: EXAMPLE_GUILD_ID,
      role_id: EXAMPLE_ROLE_ID,
      count: EXAMPLE_MEMBER_IDS.length,
      members: EXAMPLE_MEMBER_IDS,
      returned: EXAMPLE_MEMBER_IDS.length,
      next_after: null,
      bots: 'include',
      source: 'gateway',
      as_of: 1_767_225_600,
    },
    volatileKeys: ['as_of'],
  },
  problems: [...TOKEN_PROBLEMS, 'unknown_role'],
  async run(input, context) {
    const guildId = askedGuild(input.guild_id, context);
    const sample = sampleOf(input);
    const botsIn = input.bots ?? (sample === null ? 'include' : 'exclude');
    const question = membersQuestion({
      guildId,
      ...conditionOf(input),
      among: input.user_id ?? null,
      sample,
      bots: botsIn,
      countOnly: input.count_only,
      limit: input.limit ?? null,
      after: input.after ?? null,
    });
    const { source: from, value: listing } = await askFrom(input.source, membersQuery, question, context, {
      unknown_role: ({ values }) => fieldOfRole(values['id'], input),
    });
    return {
      value: {
        guild_id: guildId,
        role_id: input.role_id ?? null,
        count: listing.count,
        members: listing.members,
        returned: listing.returned,
        next_after: listing.nextAfter,
        bots: botsIn,
        source: from,
        as_of: listing.asOf,
      },
      // Made from the whole question, so that a question has one tag in every spelling. A draw has no tag.
      ...(question.sample === null ? { version: JSON.stringify([from, listing.version, question]) } : {}),
    };
  },
});

interface RoleFields {
  readonly role_id?: string | undefined;
  readonly all?: readonly string[] | undefined;
  readonly any?: readonly string[] | undefined;
  readonly none?: readonly string[] | undefined;
}

/** @throws Problem `missing_field` or `invalid_field` */
function conditionOf({ role_id: roleId, all = [], any = [], none = [] }: RoleFields) {
  const each = roleId === undefined ? all : [roleId, ...all];
  const roles = new Set([...each, ...any, ...none]);
  if (roles.size === 0) {
    throw new Problem('missing_field/role_id', { field: 'role_id' });
  }
  if (roles.size > ROLES_MAX) {
    throw new Problem('invalid_field/roles', { field: 'all', values: { max: ROLES_MAX } });
  }
  return { all: each, any, none };
}

/** Returns the field that named this role. */
function fieldOfRole(role: unknown, { role_id: roleId, all = [], any = [], none = [] }: RoleFields): string {
  const lists = Object.entries({ role_id: roleId === undefined ? [] : [roleId], all, any, none });
  return lists.find(([, ids]) => ids.some((id) => id === role))?.[0] ?? 'role_id';
}

interface SampleFields {
  readonly sample?: number | undefined;
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly count_only: boolean;
}

/** @throws Problem `invalid_field` */
function sampleOf({ sample, limit, after, count_only: countOnly }: SampleFields): number | null {
  if (sample === undefined) return null;
  if (limit === undefined && after === undefined && !countOnly) return sample;
  throw new Problem('invalid_field/sample', { field: 'sample' });
}
