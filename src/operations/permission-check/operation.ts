import * as z from 'zod';

import { Problem } from '../../kernel/problem.ts';
import type { PermissionInputs } from '../../members/permission-inputs.ts';
import { EXAMPLE_GUILD_ID, EXAMPLE_MEMBER_IDS } from '../examples.ts';
import { stringWithoutPlaceholder, snowflake } from '../fields.ts';
import { problemMessage } from '../input-problem.ts';
import { askedGuild, findFrom, MEMBERS_SOURCE_FIELDS, TOKEN_PROBLEMS } from '../members-source.ts';
import { defineOperation } from '../define-operation.ts';
import { refuseFilters } from '../filter-names.ts';
import { findNearestPermissionName, quoteName } from '../permissions/nearest-permission.ts';
import { findPermission } from '../permissions/permission-names.ts';
import { describePermissionSet } from '../permissions/permission-set.ts';
import {
  decideAction,
  ON_MEMBERS,
  ON_ROLES,
  TARGET_RULES,
  type ActionDecision,
  type Target,
} from './decide-action.ts';
import { describeAction, needsTwoFactor } from './describe-action.ts';
import { bitOf, computePermissions, RULES, type PermissionFacts } from './effective-permissions.ts';

/** UTF-16 code units. No permission has a longer name in any language. */
const NAME_LENGTH_MAX = 100;

export const permissionCheck = defineOperation({
  name: 'permission-check',
  path: '/api/chat/permission-check',
  method: 'GET',
  summary: 'Says what a member may do in a channel or to somebody, and why',
  description: `Answers "why can my bot not write here?" and "may my bot do that to this member?". \`permissions\` are
those that a member can really use. Roles, channel settings, time-outs, the rules of threads and permissions that depend
on others are applied in Discord's order.
Without \`channel_id\` they are those in the server as a whole.

With \`permission\` the answer says whether it is \`allowed\`, and \`because\` is the last rule that is about it:
\`kind\` is one of ${listed(RULES)} or \`not_granted\`, \`role_ids\` are the roles by which it decides, and \`text\` says it in a sentence.

With a target, \`allowed\` is about this one. Send \`target_id\`, a member, with
${listed(ON_MEMBERS)}, or \`target_role_id\`, a role to be given or taken, with
${listed(ON_ROLES)}. That is asked of the server as a whole, so leave out \`channel_id\`. Further kinds say what
forbids it although the permission is there: ${listed(TARGET_RULES)}. \`role_order\` names
the member's highest role and then the target's: only a role that is above may act, and ADMINISTRATOR does not change
that. Somebody who is not in the server can still be banned.

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
    permission: stringWithoutPlaceholder('invalid_field/permission')
      .max(NAME_LENGTH_MAX, problemMessage('invalid_field/characters_max', { max: NAME_LENGTH_MAX }))
      .optional()
      .describe('The name of a permission, in any spelling')
      .meta({ examples: ['SEND_MESSAGES'] }),
    target_id: snowflake('user')
      .optional()
      .describe('A member to whom this is to be done, with a permission about members'),
    target_role_id: snowflake('role')
      .optional()
      .describe('A role that is to be given or taken, with MANAGE_ROLES'),
  }),
  output: z.object({
    guild_id: z.string(),
    user_id: z.string(),
    channel_id: z.string().nullable(),
    permission: z.string().nullable().describe('Its canonical name'),
    target_id: z.string().nullable(),
    target_role_id: z.string().nullable(),
    bitfield: z.string().describe('The permissions that the member can really use there, as a bit field'),
    permissions: z.array(z.string()).describe('The same by name, in the order of the bits'),
    allowed: z
      .boolean()
      .nullable()
      .describe(
        'Whether the member has `permission` there, or may use it on the target; null without `permission`',
      ),
    because: z
      .object({
        kind: z.enum([...RULES, 'not_granted', ...TARGET_RULES]),
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
      target_id: null,
      target_role_id: null,
      bitfield: '2248473465835073',
      permissions: ['CREATE_INSTANT_INVITE'],
      allowed: false,
      because: { kind: 'not_granted', role_ids: [], text: 'No role of the member has BAN_MEMBERS.' },
      source: 'gateway',
    },
    volatileKeys: ['permissions'],
  },
  problems: [...TOKEN_PROBLEMS, 'unknown_permission', 'unknown_member', 'unknown_channel', 'unknown_role'],
  async run(input, context) {
    const guildId = askedGuild(input.guild_id, context);
    const { user_id: userId, channel_id: channelId = null } = input;
    const { target_id: targetId = null, target_role_id: targetRoleId = null } = input;
    const asked = input.permission === undefined ? null : readPermission(input.permission);
    refuseTarget('target_id', targetId, asked, ON_MEMBERS);
    refuseTarget('target_role_id', targetRoleId, asked, ON_ROLES);
    if (channelId !== null && (targetId ?? targetRoleId) !== null) {
      throw new Problem('invalid_field/channel_with_target', { field: 'channel_id' });
    }
    const question = { guildId, userId, channelId, targetId };
    const { source, value: inputs } = await findFrom(
      input.source,
      guildId,
      context,
      (caller) => context.restMembers.readPermissionInputs(question, caller),
      { unknown_member: 'user_id', unknown_channel: 'channel_id' },
    );
    const facts: PermissionFacts = {
      ...inputs,
      guildId,
      userId,
      isTimedOut: inputs.timedOutUntil !== null && inputs.timedOutUntil > context.now(),
    };
    const target =
      targetRoleId === null ? readTarget(targetId, asked, inputs) : readTargetRole(targetRoleId, inputs);
    const computed = computePermissions(facts);
    const { bitfield, permissions } = describePermissionSet(computed.bits);
    const decide = (permission: string): ActionDecision =>
      target === null
        ? computed.decide(bitOf(permission))
        : decideAction(permission, target, facts, computed);
    const action = asked === null ? null : decide(asked);
    return {
      value: {
        guild_id: guildId,
        user_id: userId,
        channel_id: channelId,
        permission: asked,
        target_id: targetId,
        target_role_id: targetRoleId,
        bitfield,
        permissions,
        allowed: action?.isAllowed ?? null,
        because:
          asked === null || action === null
            ? null
            : {
                kind: action.kind,
                role_ids: [...action.roleIds],
                text: describeAction({ permission: asked, action, target, computed, facts }),
              },
        source,
      },
      notes:
        asked !== null && action !== null && needsTwoFactor({ permission: asked, action, facts })
          ? ['two_factor']
          : [],
    };
  },
});

/** @throws Problem `invalid_field` for a target that does not go with the permission */
function refuseTarget(
  field: 'target_id' | 'target_role_id',
  target: string | null,
  permission: string | null,
  permissions: readonly string[],
): void {
  if (target === null || (permission !== null && permissions.includes(permission))) return;
  throw new Problem(`invalid_field/${field}`, { field });
}

/**
 * Returns null for an account outside the server, which can only be banned, because Discord bans accounts that it does
 * not find in the server.
 * @throws Problem `unknown_member`
 */
function readTarget(
  targetId: string | null,
  permission: string | null,
  { target }: PermissionInputs,
): Target | null {
  if (targetId === null || target === null) return null;
  if (target.kind === 'member') return { kind: 'member', userId: targetId, roleIds: target.roleIds };
  if (target.kind === 'outside' && permission === 'BAN_MEMBERS') return null;
  throw new Problem(target.kind === 'outside' ? 'unknown_member' : 'unknown_member/account', {
    field: 'target_id',
  });
}

/** @throws Problem `unknown_role` */
function readTargetRole(roleId: string, { roles }: PermissionInputs): Target {
  if (roles.has(roleId)) return { kind: 'role', roleId };
  throw new Problem('unknown_role', { field: 'target_role_id' });
}

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

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
