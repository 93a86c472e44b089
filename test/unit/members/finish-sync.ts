import type { MemberIndex } from '../../../src/members/index/member-index.ts';

/** Ends a sync in one call. */
export function finishSync(index: MemberIndex): void {
  while (index.finishSyncStep());
}
