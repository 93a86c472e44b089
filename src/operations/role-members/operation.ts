import * as z from 'zod';

import { askMembers } from '../../members/role-question.ts';
import { Problem } from '../../problem.ts';
import { EXAMPLE_GUILD_ID, EXAMPLE_MEMBER_IDS, EXAMPLE_ROLE_ID } from '../examples.ts';
import { booleanish, largeValue, snowflake, wholeNumber } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { findRoleMembers } from './find-role-members.ts';

const SOURCES = ['auto', 'gateway', 'token'] as const;

/** Ids of a page: 2.2 MB of JSON. */
const LIMIT_MAX = 100_000;

const WHERE = {
  guild_id: z.string(),
  role_id: z.string(),
};

const source = z.enum(['gateway', 'token']);

const count = z.int().nonnegative();

const LISTED = z.object({
  ...WHERE,
  count: count.describe('Members who hold the role, whatever the page'),
  members: largeValue(z.array(z.string())).describe('Their user ids, ascending'),
  returned: count.describe('Ids in `members`'),
  next_after: z.string().nullable().describe('Send it as `after` for the next page; null when there is none'),
  source,
  as_of: count.describe('When this version of the list arose, in Unix seconds'),
  pending: z.literal(false).describe('True with 202: the listing goes on, ask again'),
});

const PENDING = z.object({
  ...WHERE,
  count: z.null(),
  members: z.null(),
  returned: z.null(),
  next_after: z.null(),
  source,
  as_of: z.null(),
  pending: z.literal(true),
  fetched: count.describe('Members read so far'),
  total: count.nullable().describe('Members of the server as far as known'),
  retry_after: count.describe('Seconds after which to ask again'),
});

export const roleMembers = defineOperation({
  name: 'role-members',
  path: '/api/role-members',
  method: 'GET',
  summary: 'How many members hold a role, and their user ids',
  description: `Lists who holds a role, by user id in ascending order.

The list comes from one of two **sources**. \`gateway\` is the service's own list of the members of your key's
server: it is always up to date and answers at once. \`token\` asks Discord with your own bot's token from the
\`Token\` header, for any server that this bot is in. \`auto\` (the default) takes the first where it is complete,
else the second. An answer is complete or it says that it is not; there are no partial lists.

The token is used for the lookup and let go after it; it is not stored and not logged. The bot needs the Server
Members Intent. Discord holds you responsible for your bot's token: send it only to a service that you trust.

With a token a large server takes a while, as Discord gives about 1,000 members a second. A listing that is not
done after 8 seconds answers **202** with \`pending: true\`, how far it is (\`fetched\` of \`total\`) and
\`retry_after\` in seconds, and goes on. Send the same request again after that time; the finished list is kept
for 10 minutes.

\`count_only=true\` leaves \`members\` empty and is quick with both sources. With \`limit\` you get pages: send
\`next_after\` of one page as \`after\` of the next. The id of the server as \`role_id\` means all members.

The answer has an \`ETag\`; with \`If-None-Match\` an unchanged list is answered with 304.`,
  callerToken: true,
  revalidates: true,
  input: z.object({
    guild_id: snowflake().optional().describe('The server; by default the server of your key'),
    role_id: snowflake().describe('The role; the id of the server means all members'),
    source: z
      .string('must be one of auto, gateway, token')
      .trim()
      .toLowerCase()
      .pipe(z.enum(SOURCES, 'must be one of auto, gateway, token'))
      .default('auto')
      .meta({ type: 'string', enum: [...SOURCES], default: 'auto' })
      .describe('Where the list comes from'),
    count_only: booleanish(false).describe('Leave `members` empty'),
    limit: wholeNumber(1, LIMIT_MAX).optional().describe('Most ids in one answer; by default all of them'),
    after: z
      .preprocess((value) => (value === '0' ? undefined : value), snowflake().optional())
      .describe('Only ids above this one; `0` from the start'),
  }),
  output: z.discriminatedUnion('pending', [LISTED, PENDING]),
  example: {
    input: { guild_id: EXAMPLE_GUILD_ID, role_id: EXAMPLE_ROLE_ID },
    answer: {
      guild_id: EXAMPLE_GUILD_ID,
      role_id: EXAMPLE_ROLE_ID,
      count: EXAMPLE_MEMBER_IDS.length,
      members: EXAMPLE_MEMBER_IDS,
      returned: EXAMPLE_MEMBER_IDS.length,
      next_after: null,
      source: 'token',
      as_of: 1_767_225_600,
      pending: false,
    },
    pending: {
      guild_id: EXAMPLE_GUILD_ID,
      role_id: EXAMPLE_ROLE_ID,
      count: null,
      members: null,
      returned: null,
      next_after: null,
      source: 'token',
      as_of: null,
      pending: true,
      fetched: 41_000,
      total: 250_001,
      retry_after: 43,
    },
    moving: ['as_of'],
  },
  problems: [
    'token_malformed',
    'guild_mismatch',
    'caller_tokens_disabled',
    'discord_token_rejected',
    'discord_missing_access',
    'unknown_guild',
    'unknown_role',
    'token_attempts',
    'discord_rate_limited',
    'discord_unavailable',
    'member_list_unavailable',
    'discord_paused',
    'discord_timeout',
  ],
  recipe: { field: 'role_id', filledBy: 'role', use: 'list_members' },
  async run(input, context) {
    const guildId = input.guild_id ?? context.guildId;
    if (guildId === null) {
      throw new Problem('missing_field', {
        field: 'guild_id',
        error: 'The field guild_id is missing.',
        hint: 'This key belongs to no server, so say which one, and send your bot token in the Token header.',
      });
    }
    const question = askMembers({
      guildId,
      all: [input.role_id],
      countOnly: input.count_only,
      limit: input.limit ?? null,
      after: input.after ?? null,
    });
    const { source, listing } = await findRoleMembers(question, input.source, context);
    const where = { guild_id: guildId, role_id: input.role_id, source };
    if (listing.pending) {
      return {
        value: {
          ...where,
          count: null,
          members: null,
          returned: null,
          next_after: null,
          as_of: null,
          pending: true,
          fetched: listing.fetched,
          total: listing.total,
          retry_after: listing.retryAfterSeconds,
        },
      };
    }
    return {
      value: {
        ...where,
        count: listing.count,
        members: listing.members,
        returned: listing.returned,
        next_after: listing.nextAfter,
        as_of: listing.asOf,
        pending: false,
      },
      // With all that was asked for: the same question has one tag, however it is spelt.
      version: JSON.stringify([source, listing.version, question]),
    };
  },
});
