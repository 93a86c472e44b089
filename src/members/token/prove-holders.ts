import type { MemberIndex } from '../index/member-index.ts';
import type { GuildReader } from './guild-reader.ts';

/** @param count holders of the role */
export function callsToProve(count: number): number {
  return count + 2;
}

/**
 * True when all holders of a role are among the members read so far, though not all members are.
 *
 * Discord's count alone proves nothing: a member who lost the role after their page was read can make up for a holder
 * on a later page. So every holder found is read again, between two counts. If all of them still hold the role and both
 * counts match, there are no others.
 * @throws Problem of the reader
 */
export async function proveHolders(
  roleId: string,
  index: MemberIndex,
  reader: GuildReader,
): Promise<boolean> {
  const { ids } = index.page(roleId, null, null);
  const isCounted = async () => (await reader.readRoleCounts()).get(roleId) === ids.length;
  if (!(await isCounted())) return false;
  for (const id of ids.toBigUint64Array()) {
    const [member] = await reader.readMembers(String(id - 1n), 1);
    if (member?.userId !== String(id) || !member.roleIds.includes(roleId)) return false;
  }
  return ids.length === 0 || isCounted();
}
