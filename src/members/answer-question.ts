import { Problem } from '../problem.ts';
import { secureRandomBelow, type RandomBelow } from './index/draw-ranks.ts';
import { IdList } from './index/id-list.ts';
import type { MemberIndex } from './index/member-index.ts';
import type { Page, PageCache } from './index/page-cache.ts';
import type { RoleListing } from './member-directory.ts';
import { countsListing } from './role-counts.ts';
import {
  concernsEveryone,
  onlyRoleOf,
  rolesOf,
  type MembersQuestion,
  type RoleQuestion,
} from './role-question.ts';

/** Makes the version of each sample another one: no two of them are the same answer. */
let samples = 0;

/**
 * The answer to a question from a complete index.
 * @param randomBelow default: random numbers that nobody can foresee
 * @throws Problem `unknown_role`
 */
export function answerQuestion(
  index: MemberIndex,
  question: RoleQuestion,
  pages: PageCache,
  randomBelow: RandomBelow = secureRandomBelow,
): RoleListing {
  if (question.kind === 'counts') {
    return countsListing(index.roleCounts(), {
      memberCount: index.memberCount,
      asOf: index.wholeAsOf,
      version: index.wholeVersion,
    });
  }
  const named = rolesOf(question);
  const unknown = named.find((roleId) => !index.hasRole(roleId));
  if (unknown !== undefined) throw unknownRole(unknown, named.length > 1);
  const roleIds = rolesThatMatter(question);
  const version = index.version(...roleIds);
  const { sample, countOnly, limit, after } = question;
  const holders = index.holders(question, question.among);
  const asOf = index.asOf(...roleIds);
  const answer = (page: Page, ownVersion = version): RoleListing => {
    const { returned, nextAfter, members } = page;
    return { pending: false, count: holders.count, returned, nextAfter, asOf, version: ownVersion, members };
  };
  if (countOnly) return answer({ returned: 0, nextAfter: null, members: new IdList([]) });
  if (sample !== null) {
    samples += 1;
    const members = holders.sample(sample, randomBelow);
    return answer({ returned: members.length, nextAfter: null, members }, `${version}/${samples}`);
  }
  const key = `${index.guildId}/${version}/${limit ?? ''}/${after ?? ''}/${conditionKey(question)}`;
  return answer(pages.get(key, () => holders.page(limit, after)));
}

/** The version that an answer has now; null where a role that the question names is not known. */
export function versionNow(index: MemberIndex, question: RoleQuestion): string | null {
  if (question.kind === 'counts') return index.wholeVersion;
  const roleIds = rolesThatMatter(question);
  return roleIds.every((roleId) => index.hasRole(roleId)) ? index.version(...roleIds) : null;
}

/** The answer changes when their holders do. */
function rolesThatMatter(question: MembersQuestion): string[] {
  const roleIds = rolesOf(question);
  const { guildId } = question;
  return concernsEveryone(question) && !roleIds.includes(guildId) ? [...roleIds, guildId] : roleIds;
}

/** @param oneOfSeveral the caller named others too, and wants to know which one is wrong */
export function unknownRole(roleId: string, oneOfSeveral: boolean): Problem {
  if (!oneOfSeveral) return new Problem('unknown_role');
  return new Problem('unknown_role', { error: `This server has no role with the id ${roleId}.` });
}

/** Versions of roles do not say what is asked of them; for one role there is only one question. */
function conditionKey(question: MembersQuestion): string {
  const { all, any, none, among } = question;
  return onlyRoleOf(question) !== null && among === null ? '' : JSON.stringify([all, any, none, among]);
}
