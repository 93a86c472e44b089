import type { MemberIndex } from '../index/member-index.ts';
import type { GuildReader } from './guild-reader.ts';

/** Calls that a proof takes, for a role with so many holders. */
export function callsToProve(count: number): number {
  return count + 2;
}

/**
 * Whether all holders of a role are among the members read so far, though not all members are.
 *
 * Discord's count alone does not tell: who lost the role after their page was read may stand in for a holder who is
 * still to come. So all who were found are read again, between two counts: if each of them still holds the role and
 * there are no more holders than they, there are no others.
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
