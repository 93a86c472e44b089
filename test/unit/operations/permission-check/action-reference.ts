import type { OrderedFacts, ChosenTarget } from './action-facts.ts';
import { judge } from './permission-reference.ts';

/** What is judged about an action, with the roles that `role_order` names. */
export interface ActJudgement {
  readonly allowed: boolean;
  readonly kind: string;
  readonly roleIds: readonly string[];
}

const no = (kind: string, roleIds: readonly string[] = []): ActJudgement => ({
  allowed: false,
  kind,
  roleIds,
});

/**
 * Judges an action by listing all roles from top to bottom, as Discord's client shows them, and comparing places. The
 * sentences are those of https://docs.discord.com/developers/topics/permissions#permission-hierarchy and
 * https://docs.discord.com/developers/resources/guild#modify-guild-member.
 */
export function judgeAct(facts: OrderedFacts, permission: string, target: ChosenTarget): ActJudgement {
  const { guildId, order, ownerId, userId } = facts;
  const held = judge(facts, permission);

  const isOneself = 'userId' in target && target.userId === userId;
  if (isOneself && permission === 'MANAGE_NICKNAMES') {
    return { allowed: judge(facts, 'CHANGE_NICKNAME').allowed, kind: 'self', roleIds: [] };
  }
  if (!held.allowed) return held;
  if (isOneself) return no('self');
  if ('userId' in target && target.userId === ownerId) return no('target_owner');
  if ('userId' in target && permission === 'MODERATE_MEMBERS') {
    const theirs = judge({ ...facts, userId: target.userId, roleIds: target.roleIds }, 'ADMINISTRATOR');
    if (theirs.allowed) return no('target_administrator');
  }
  if ('roleId' in target && (target.roleId === guildId || order.get(target.roleId)?.isManaged === true)) {
    return no('target_managed');
  }
  if (userId === ownerId) return held;

  // From the top. Roles of one position are sorted by id, and @everyone is always the last one.
  const fromTop = [...order.keys()]
    .filter((id) => id !== guildId)
    .sort((a, b) => {
      const places = (order.get(b)?.position ?? 0) - (order.get(a)?.position ?? 0);
      return places === 0 ? Number(BigInt(a) - BigInt(b)) : places;
    });
  fromTop.push(guildId);
  const topOf = (roleIds: readonly string[]) =>
    fromTop.find((id) => id === guildId || roleIds.includes(id)) ?? guildId;
  const own = topOf(facts.roleIds);
  const other = 'roleId' in target ? target.roleId : topOf(target.roleIds);
  return fromTop.indexOf(own) < fromTop.indexOf(other) ? held : no('role_order', [own, other]);
}
