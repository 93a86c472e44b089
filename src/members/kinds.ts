import { changesKind } from './changes-kind.ts';
import { countsKind } from './counts-kind.ts';
import type { RelayedKind } from './member-directory.ts';
import { membersKind } from './members-kind.ts';

/** All kinds of questions. Processes answer each other every one of them. */
export const KINDS: readonly RelayedKind[] = [membersKind, countsKind, changesKind];
