import { randomUUID } from 'node:crypto';

import { Problem } from '../kernel/problem.ts';
import { secureRandomBelow, type RandomBelow } from './index/holders.ts';
import { IdList } from './index/id-list.ts';
import { BOTS, type MemberIndex, type RoleCondition } from './index/member-index.ts';
import type { GuildRoleCounts, RoleListing } from './member-directory.ts';
import { concernsEveryone, rolesOf, type MembersQuestion } from './role-question.ts';

/** @param index one that is complete */
export function countRoles(index: MemberIndex): GuildRoleCounts {
  return {
    members: index.memberCount,
    roles: index.roleCounts(),
    asOf: index.wholeAsOf,
    version: index.wholeVersion,
  };
}

/**
 * Answers from a complete index.
 * @param randomBelow default: random numbers that nobody can foresee
 * @throws Problem `unknown_role`
 */
export function answerQuestion(
  index: MemberIndex,
  question: MembersQuestion,
  randomBelow: RandomBelow = secureRandomBelow,
): RoleListing {
  const named = rolesOf(question);
  const unknown = named.find((roleId) => !index.hasRole(roleId));
  if (unknown !== undefined) throw unknownRole(unknown, named.length > 1);
  const roleIds = rolesThatMatter(question);
  const version = index.version(...roleIds);
  const { sample, countOnly, limit, after } = question;
  const holders = index.holders(conditionOf(question), question.among);
  const asOf = index.asOf(...roleIds);
  const answer = (ids: IdList, nextAfter: string | null, ownVersion = version): RoleListing => {
    const { count } = holders;
    return {
      count,
      returned: ids.length,
      nextAfter,
      asOf,
      version: ownVersion,
      members: ids,
    };
  };
  if (countOnly) return answer(new IdList(new BigUint64Array()), null);
  if (sample !== null) {
    // No two samples are the same answer.
    return answer(holders.sample(sample, randomBelow), null, `${version}/${randomUUID()}`);
  }
  const { ids, nextAfter } = holders.page(limit, after);
  return answer(ids, nextAfter);
}

/** The condition about bots is answered like one about a role. */
function conditionOf({ all, any, none, bots }: MembersQuestion): RoleCondition {
  return {
    all: bots === 'only' ? [...all, BOTS] : all,
    any,
    none: bots === 'exclude' ? [...none, BOTS] : none,
  };
}

/** The roles whose holders decide the answer. */
function rolesThatMatter(question: MembersQuestion): string[] {
  const roleIds = rolesOf(question);
  const { bots, guildId } = question;
  if (concernsEveryone(question) && !roleIds.includes(guildId)) roleIds.push(guildId);
  return bots === 'include' ? roleIds : [...roleIds, BOTS];
}

/** @param oneOfSeveral the caller named several roles, and wants to know which one is wrong */
export function unknownRole(roleId: string, oneOfSeveral: boolean): Problem {
  return oneOfSeveral
    ? new Problem('unknown_role/id', { values: { id: roleId } })
    : new Problem('unknown_role');
}
