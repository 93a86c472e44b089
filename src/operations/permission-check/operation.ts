import * as z from 'zod';

import { Problem } from '../../kernel/problem.ts';
import { EXAMPLE_GUILD_ID, EXAMPLE_MEMBER_IDS } from '../examples.ts';
import { resolvedString, snowflake } from '../fields.ts';
import { says } from '../input-problem.ts';
import { findFrom, guildOf, MEMBERS_SOURCE_FIELDS, TOKEN_PROBLEMS } from '../members-source.ts';
import { defineOperation } from '../define-operation.ts';
import { refuseFilters } from '../filter-names.ts';
import { findNearestPermissionName, quoteName } from '../permissions/nearest-permission.ts';
import { findPermission } from '../permissions/permission-names.ts';
import { describePermissionSet } from '../permissions/permission-set.ts';
import { describeDecision } from './describe-decision.ts';
import { computePermissions, RULES, type PermissionWorld } from './effective-permissions.ts';

const NAME_UNITS_MAX = 100;

export const permissionCheck = defineOperation({
  name: 'permission-check',
  path: '/api/chat/permission-check',
  method: 'GET',
  summary: 'Says what a member may do in a channel, and which rule decides it',
  description: `Answers "why can my bot not write here?". \`permissions\` are those that a member can really use. Roles,
channel settings, time-outs, the rules of threads and permissions that depend on others are applied in Discord's order.
Without \`channel_id\` they are those in the server as a whole.

With \`permission\` the answer says whether it is \`allowed\`, and \`because\` is the last rule that is about it:
\`kind\` is one of ${RULES.map((rule) => `\`${rule}\``).join(', ')} or \`not_granted\`, \`role_ids\` are the roles by
which it decides, and \`text\` says it in a sentence.

The server, the member and the channel are read from Discord when you ask. An answer is at most 10 seconds old.
\`source=gateway\` reads with the service's own bot, for the server of your key; \`token\` with your bot's token from
the \`Token\` header, for any server that this bot is in. \`auto\` asks the service's own bot first, and yours where that
one cannot answer. No privileged intent is needed. A channel that the bot itself cannot see is 403
\`discord_missing_access\`.`,
  aboutMembers: true,
  refuseFilters,
  secretHeader: 'Token',
  input: z.object({
    ...MEMBERS_SOURCE_FIELDS,
    user_id: snowflake('user').describe('The member'),
    channel_id: snowflake('channel').optional().describe('A channel, thread or category; by default none'),
    permission: resolvedString('invalid_field/permission')
      .max(NAME_UNITS_MAX, says('invalid_field/characters_max', { max: NAME_UNITS_MAX }))
      .optional()
      .describe('The name of a permission, in any spelling')
      .meta({ examples: ['SEND_MESSAGES'] }),
  }),
  output: z.object({
    guild_id: z.string(),
    user_id: z.string(),
    channel_id: z.string().nullable(),
    permission: z.string().nullable().describe('Its canonical name'),
    bitfield: z.string().describe('The permissions that the member can really use there, as a bit field'),
    permissions: z.array(z.string()).describe('The same by name, in the order of the bits'),
    allowed: z
      .boolean()
      .nullable()
      .describe('Whether the member has `permission` there; null without `permission`'),
    because: z
      .object({
        kind: z.enum([...RULES, 'not_granted']),
        role_ids: z.array(z.string()),
        text: z.string(),
      })
      .nullable(),
    source: z.enum(['gateway', 'token']),
  }),
  example: {
    input: {
      guild_id: EXAMPLE_GUILD_ID,
      user_id: EXAMPLE_MEMBER_IDS[0] ?? '',
      permission: 'BAN_MEMBERS',
    },
    answer: {
      guild_id: EXAMPLE_GUILD_ID,
      user_id: EXAMPLE_MEMBER_IDS[0] ?? '',
      channel_id: null,
      permission: 'BAN_MEMBERS',
      bitfield: '2248473465835073',
      permissions: ['CREATE_INSTANT_INVITE'],
      allowed: false,
      because: { kind: 'not_granted', role_ids: [], text: 'No role of the member has BAN_MEMBERS.' },
      source: 'gateway',
    },
    moving: ['permissions'],
  },
  problems: [...TOKEN_PROBLEMS, 'unknown_permission', 'unknown_member', 'unknown_channel'],
  async run(input, context) {
    const guildId = guildOf(input.guild_id, context);
    const { user_id: userId, channel_id: channelId = null } = input;
    const asked = input.permission === undefined ? null : readPermission(input.permission);
    const question = { guildId, userId, channelId };
    const { source, value: facts } = await findFrom(input.source, guildId, context, {
      own: (caller) => context.tokenMembers.readFacts(question, caller),
      withToken: (caller) => context.tokenMembers.readFacts(question, caller),
    });
    const world: PermissionWorld = {
      ...facts,
      guildId,
      userId,
      isTimedOut: facts.timedOutUntil !== null && facts.timedOutUntil > context.now(),
    };
    const computed = computePermissions(world);
    const { bitfield, permissions } = describePermissionSet(computed.bits);
    const decision = asked === null ? null : computed.decide(bitOf(asked));
    return {
      value: {
        guild_id: guildId,
        user_id: userId,
        channel_id: channelId,
        permission: asked,
        bitfield,
        permissions,
        allowed: decision?.isAllowed ?? null,
        because:
          asked === null || decision === null
            ? null
            : {
                kind: decision.kind,
                role_ids: [...decision.roleIds],
                text: describeDecision(asked, decision, computed, world, bitOf),
              },
        source,
      },
    };
  },
});

/** @throws Problem `unknown_permission` */
function readPermission(name: string): string {
  const permission = findPermission(name);
  if (permission !== undefined) return permission.name;
  const nearest = findNearestPermissionName(name);
  throw new Problem(nearest === null ? 'unknown_permission/one' : 'unknown_permission/one_misspelt', {
    field: 'permission',
    values: { names: quoteName(name), nearest: nearest ?? '' },
  });
}

function bitOf(name: string): bigint {
  return findPermission(name)?.value ?? 1n;
}
