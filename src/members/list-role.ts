import { Problem } from '../problem.ts';
import type { RoleListing, RoleQuery } from './member-directory.ts';
import type { MemberIndex } from './index/member-index.ts';
import type { PageCache } from './index/page-cache.ts';

/**
 * The answer to a query from a complete index.
 * @throws Problem `unknown_role`
 */
export function listRole(index: MemberIndex, query: RoleQuery, pages: PageCache): RoleListing {
  const { roleId, countOnly, limit, after } = query;
  if (!index.hasRole(roleId)) throw new Problem('unknown_role');
  const version = index.version(roleId);
  const key = countOnly ? 'none' : `${version}/${limit ?? ''}/${after ?? ''}`;
  const page = pages.get(key, () => index.page(roleId, countOnly ? 0 : limit, after));
  return {
    pending: false,
    count: index.count(roleId),
    returned: page.returned,
    nextAfter: countOnly ? null : page.nextAfter,
    asOf: index.asOf(roleId),
    version,
    members: page.members,
  };
}
