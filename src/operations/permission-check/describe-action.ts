import { findPermission } from '../permissions/permission-names.ts';
import type { ActionDecision, Target } from './decide-action.ts';
import { describeDecision } from './describe-decision.ts';
import { bitOf, type EffectivePermissions, type PermissionFacts } from './effective-permissions.ts';

/** Added where the server demands it, because a bot's owner may lack it and only the owner can see that. */
export const TWO_FACTOR =
  'This server requires two-factor authentication for moderation. If the member is a bot, its owner needs it.';

/** Permissions that may have a target, with the verb for each. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['KICK_MEMBERS', 'kick'],
  ['BAN_MEMBERS', 'ban'],
  ['MODERATE_MEMBERS', 'time out'],
  ['MANAGE_NICKNAMES', 'change the nickname of'],
  ['MANAGE_ROLES', 'give or take'],
]);

interface Described {
  /** The canonical name. */
  readonly permission: string;
  readonly action: ActionDecision;
  readonly target: Target | null;
  readonly computed: EffectivePermissions;
  readonly facts: PermissionFacts;
}

/** Says which rule decides whether a member may use a permission, and what has to change. */
export function describeAction(described: Described): string {
  const text = sentenceOf(described);
  return needsTwoFactor(described) ? `${text} ${TWO_FACTOR}` : text;
}

/** True if the action is allowed, but a bot can do it only when its owner has two-factor authentication. */
export function needsTwoFactor({
  permission,
  action,
  facts,
}: Pick<Described, 'permission' | 'action' | 'facts'>): boolean {
  const isElevated = VERBS.has(permission) && findPermission(permission)?.elevated === true;
  return action.isAllowed && facts.requiresTwoFactor && isElevated;
}

function sentenceOf({ permission, action, target, computed, facts }: Described): string {
  const { kind } = action;
  const verb = VERBS.get(permission) ?? permission;
  switch (kind) {
    case 'self': {
      if (permission !== 'MANAGE_NICKNAMES') return `Nobody can ${verb} themselves.`;
      const own = computed.decide(bitOf('CHANGE_NICKNAME'));
      const why = describeDecision('CHANGE_NICKNAME', own, computed, facts);
      return `To change their own nickname, members need CHANGE_NICKNAME. ${why}`;
    }
    case 'target_owner':
      return `Nobody else can ${verb} the owner of the server.`;
    case 'target_administrator':
      return 'The target has ADMINISTRATOR, so nobody can time them out.';
    case 'target_managed':
      return target?.kind === 'role' && target.roleId === facts.guildId
        ? 'Every member has @everyone, so nobody can give or take it.'
        : 'A bot, an integration or Discord itself manages this role, so nobody can give or take it.';
    case 'role_order':
      return describeOrder(action.roleIds, target, facts);
    default:
      return describeDecision(permission, { ...action, kind }, computed, facts);
  }
}

/** Names both roles, and says which of them has to move. */
function describeOrder(
  [own = '', other = '']: readonly string[],
  target: Target | null,
  { guildId, roles }: PermissionFacts,
): string {
  // A bot may post this sentence, and an @ in the name of a role could notify people.
  const nameOf = (id: string) =>
    id === guildId ? '@everyone' : `"${(roles.get(id)?.name ?? id).replaceAll('@', '')}"`;
  const ownName = nameOf(own);
  const otherName = nameOf(other);
  if (own === guildId || own === other) {
    return `The member's highest role is ${ownName}, and they need one above ${otherName}. Give them one in Server Settings > Roles.`;
  }
  const owner = target?.kind === 'role' ? 'the role' : "the target's highest role,";
  return `The member's highest role, ${ownName}, is not above ${owner} ${otherName}. In Server Settings > Roles, move ${ownName} above ${otherName}.`;
}
