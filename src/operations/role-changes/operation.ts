import * as z from 'zod';

import { nonNegativeInt } from '../../kernel/schemas.ts';
import { readCursor, writeCursor, type Cursor } from '../../members/cursor.ts';
import { Problem } from '../../kernel/problem.ts';
import { changesQuery } from '../../members/changes-query.ts';
import { botsAnswer, botsField } from '../bots-field.ts';
import { withFieldNames } from '../with-field-names.ts';
import { defineOperation } from '../define-operation.ts';
import { refuseFilters } from '../filter-names.ts';
import { EXAMPLE_GUILD_ID, EXAMPLE_MEMBER_IDS, EXAMPLE_ROLE_ID } from '../examples.ts';
import { streamedValue, stringWithoutPlaceholder, snowflake } from '../fields.ts';
import { problemMessage } from '../input-problem.ts';

const ids = streamedValue(z.array(z.string()));

export const roleChanges = defineOperation({
  name: 'role-changes',
  path: '/api/role-changes',
  method: 'GET',
  summary: 'Says who got or lost a role since you last asked',
  description: `Says who got or lost a role since you last asked, for builders that ask on a schedule. The first
question has no \`since\`: it gets empty lists and a \`cursor\`, which is \`since\` of the next question.

\`added\` and \`removed\` are the net difference, in ascending order of user ids: the list as it was, with \`added\` and
without \`removed\`, is the list now, and \`count\` is its length. A member who got the role and lost it again in the
meantime is in neither. With the id of the server as \`role_id\`, the lists say who joined and who left. Bots are left
out unless \`bots\` says otherwise.

There are two ways to say since when:

- \`since\`: the \`cursor\` of an earlier answer. Keep it together with what you did about that answer, and nothing is
  lost.
- \`reader\`: a name that you choose, for builders that cannot keep anything between two runs. The service remembers how far
  this reader has come with this role and \`bots\`. It moves on once the whole answer was sent. When a reader asks two
  questions concurrently, a change may come twice. Where the service runs as several processes and loses Redis, a change may
  never come: use \`since\` if none may be missed.

\`reset: true\` means that the service cannot say what has changed: it was restarted, no question about this role
came for a day, more than 10,000 changes have come since, or the reader is new. Both lists are empty then. Read the
whole list with \`role-members\`, and go on with this cursor or reader: it counts from here on. A lost connection to
Discord loses nothing: what happened in the meantime is found when the list is read again.

The answer comes from the service's own list of the members of your key's server; while that is not complete, it is 503
\`member_list_unavailable\`. Nothing is recorded for a role before the first question about it. The documents have
whole flows for n8n, Make, Zapier and BotGhost that greet members who got a role.`,
  forTools:
    '`reset: true` means that the changes are unknown: read the whole list with role-members, and go on with this `cursor`.',
  aboutMembers: true,
  refuseFilters,
  noCommandReason:
    'It is for programs that ask again and again. Discord itself shows a person who has a role now.',
  refusedByMcp: {
    reader: 'invalid_field/no_reader',
  },
  input: z.object({
    guild_id: snowflake().optional().describe('The server of your key; you can leave it out'),
    role_id: snowflake('role').describe('The role; the id of the server means all its members'),
    bots: botsField().default('exclude').describe('Whether bots count'),
    since: stringWithoutPlaceholder('invalid_field/cursor_type')
      .regex(/^[A-Za-z0-9_-]{1,64}$/, problemMessage('invalid_field/cursor'))
      .optional()
      .describe('The `cursor` of an earlier answer'),
    reader: stringWithoutPlaceholder('invalid_field/name')
      .regex(/^[a-z0-9_-]{1,32}$/, problemMessage('invalid_field/reader'))
      .optional()
      .describe('A name under which the service remembers how far you have come; not with `since`'),
  }),
  output: z.object({
    guild_id: z.string(),
    role_id: z.string(),
    added: ids.describe('User ids of those who have the role now, and did not have it then'),
    removed: ids.describe('User ids of those who had the role then, and do not have it now'),
    added_count: nonNegativeInt,
    removed_count: nonNegativeInt,
    count: nonNegativeInt.describe('Number of members who have the role now'),
    cursor: z.string().describe('Send it as `since` next time'),
    reset: z
      .boolean()
      .describe(
        'True when the service cannot say what has changed: read the whole list with role-members, with the same `bots`',
      ),
    bots: botsAnswer,
    as_of: nonNegativeInt.describe('Since when the list has been as it is now, in Unix seconds'),
  }),
  example: {
    input: { role_id: EXAMPLE_ROLE_ID },
    answer: {
      guild_id: EXAMPLE_GUILD_ID,
      role_id: EXAMPLE_ROLE_ID,
      added: [],
      removed: [],
      added_count: 0,
      removed_count: 0,
      count: EXAMPLE_MEMBER_IDS.length,
      cursor: writeCursor({
        guildId: EXAMPLE_GUILD_ID,
        roleId: EXAMPLE_ROLE_ID,
        bots: 'exclude',
        offset: { epoch: 'uJ0xQm9Yd3Ra', at: 17 },
      }),
      reset: false,
      bots: 'exclude',
      as_of: 1_767_225_600,
    },
    volatileKeys: ['cursor', 'as_of'],
  },
  problems: ['guild_mismatch', 'unknown_role', 'member_list_unavailable'],
  async run(input, context) {
    const guildId = ownGuildOf(input.guild_id, context.guildId);
    const { role_id: roleId, bots, reader = null } = input;
    if (reader !== null && input.since !== undefined) {
      throw new Problem('invalid_field/since_and_reader', { field: 'reader' });
    }
    const about = { guildId, roleId, bots };
    const since = input.since === undefined ? null : offsetIn(input.since, about);
    const { tenantId, signal } = context;
    const changes = await withFieldNames(
      { unknown_role: 'role_id' },
      context.members.ask(changesQuery, { ...about, since, reader }, { tenantId, signal, token: null }),
    );
    const { added, removed, offset, isReset } = changes;
    return {
      value: {
        guild_id: guildId,
        role_id: roleId,
        added,
        removed,
        added_count: added.length,
        removed_count: removed.length,
        count: changes.count,
        cursor: writeCursor({ ...about, offset }),
        reset: isReset,
        bots,
        as_of: changes.asOf,
      },
      onSent:
        reader === null ? undefined : () => context.members.commitReaderOffset({ ...about, reader, offset }),
    };
  },
});

/**
 * @param guildOfKey null for a key of no server
 * @throws Problem `guild_mismatch`
 */
function ownGuildOf(guildId: string | undefined, guildOfKey: string | null): string {
  if (guildOfKey !== null && (guildId ?? guildOfKey) === guildOfKey) return guildOfKey;
  const key = guildOfKey === null ? 'guild_mismatch/no_changes' : 'guild_mismatch/changes_of_others';
  throw new Problem(key, guildId === undefined ? {} : { field: 'guild_id' });
}

/** @throws Problem `invalid_field` */
function offsetIn(text: string, { guildId, roleId, bots }: Omit<Cursor, 'offset'>): Cursor['offset'] {
  const cursor = readCursor(text);
  if (cursor === null) {
    throw new Problem('invalid_field/cursor_unread', { field: 'since' });
  }
  if (cursor.guildId === guildId && cursor.roleId === roleId && cursor.bots === bots) return cursor.offset;
  throw new Problem('invalid_field/cursor_of_others', { field: 'since' });
}
