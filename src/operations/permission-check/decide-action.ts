import { compareSnowflakes } from '../../kernel/snowflake.ts';
import {
  bitOf,
  type Decision,
  type EffectivePermissions,
  type PermissionFacts,
} from './effective-permissions.ts';

/** Permissions to do something to a member. */
export const ON_MEMBERS = ['KICK_MEMBERS', 'BAN_MEMBERS', 'MODERATE_MEMBERS', 'MANAGE_NICKNAMES'] as const;
/** Permissions to give a role, and to take it. */
export const ON_ROLES = ['MANAGE_ROLES'] as const;

/** Rules that forbid an action that the permission itself allows, in the order in which they are checked. */
export const TARGET_RULES = [
  'self',
  'target_owner',
  'target_administrator',
  'target_managed',
  'role_order',
] as const;

export type TargetRule = (typeof TARGET_RULES)[number];

/** A member, or a role that a member is given or loses. */
export type Target =
  | { readonly kind: 'member'; readonly userId: string; readonly roleIds: readonly string[] }
  | { readonly kind: 'role'; readonly roleId: string };

/**
 * The rule that decides about an action. For `role_order`, `roleIds` are the member's highest role and the target's.
 */
export type ActionDecision = Omit<Decision, 'kind'> & { readonly kind: Decision['kind'] | TargetRule };

type Guild = Pick<PermissionFacts, 'guildId' | 'roles'>;

/**
 * Decides whether a member may use a permission on a target in the server as a whole. It applies only rules from
 * Discord's documents.
 * @param permission one of those above, the right one for the kind of target
 * @param computed of the member who acts
 */
export function decideAction(
  permission: string,
  target: Target,
  facts: PermissionFacts,
  computed: EffectivePermissions,
): ActionDecision {
  const isSelf = target.kind === 'member' && target.userId === facts.userId;
  if (isSelf && permission === 'MANAGE_NICKNAMES') {
    // https://docs.discord.com/developers/resources/guild#modify-current-member
    const own = computed.decide(bitOf('CHANGE_NICKNAME'));
    return { ...own, kind: 'self', roleIds: [] };
  }
  const own = computed.decide(bitOf(permission));
  if (!own.isAllowed) return own;

  if (target.kind === 'member') {
    // GuildMember#manageable of discord.js, on which kickable, bannable and moderatable build.
    if (isSelf) return deny('self');
    // https://docs.discord.com/developers/resources/guild#modify-guild-member for time-outs; the same property for all.
    if (target.userId === facts.ownerId) return deny('target_owner');
    // The same chapter. The order of roles does not matter.
    if (permission === 'MODERATE_MEMBERS' && isAdministrator(target.roleIds, facts)) {
      return deny('target_administrator');
    }
  } else if (target.roleId === facts.guildId || facts.roles.get(target.roleId)?.isManaged === true) {
    // https://docs.discord.com/developers/topics/permissions#role-object (`managed`), and Role#editable of discord.js.
    return deny('target_managed');
  }

  // https://docs.discord.com/developers/topics/permissions#permission-hierarchy; for time-outs GuildMember#moderatable
  // of discord.js. Owners are above it, administrators are not.
  if (facts.userId === facts.ownerId) return own;
  const highest = highestRole(facts.roleIds, facts);
  const other = target.kind === 'role' ? target.roleId : highestRole(target.roleIds, facts);
  return compareRoles(highest, other, facts) > 0 ? own : deny('role_order', [highest, other]);
}

function deny(kind: TargetRule, roleIds: readonly string[] = []): ActionDecision {
  return { kind, roleIds, isAllowed: false, allowedByEarlierRules: true };
}

function isAdministrator(roleIds: readonly string[], { guildId, roles }: Guild): boolean {
  const administrator = bitOf('ADMINISTRATOR');
  return [guildId, ...roleIds].some((id) => ((roles.get(id)?.permissions ?? 0n) & administrator) !== 0n);
}

/** @everyone for a member without another role. Ignores deleted roles. */
function highestRole(roleIds: readonly string[], guild: Guild): string {
  return roleIds
    .filter((id) => guild.roles.has(id))
    .reduce((highest, id) => (compareRoles(id, highest, guild) > 0 ? id : highest), guild.guildId);
}

/**
 * Above 0 when the first role is above the second one. @everyone is below all others. At equal positions the role with
 * the lower id is above, as in RoleManager#comparePositions of discord.js and Role of discord.py. The documents only
 * say that such roles are sorted by id.
 */
function compareRoles(first: string, second: string, { guildId, roles }: Guild): number {
  if (first === second) return 0;
  if (first === guildId) return -1;
  if (second === guildId) return 1;
  const difference = (roles.get(first)?.position ?? 0) - (roles.get(second)?.position ?? 0);
  if (difference !== 0) return difference;
  return compareSnowflakes(second, first);
}
