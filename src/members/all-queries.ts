import { changesQuery } from './changes-query.ts';
import { countsQuery } from './counts-query.ts';
import type { RemoteQuery } from './member-directory.ts';
import { membersQuery } from './members-query.ts';

/** Each process can answer these for the others. */
export const MEMBER_QUERIES: readonly RemoteQuery[] = [membersQuery, countsQuery, changesQuery];
