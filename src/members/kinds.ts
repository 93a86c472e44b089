import { changesKind } from './changes-kind.ts';
import { countsKind } from './counts-kind.ts';
import type { RelayedKind } from './member-directory.ts';
import { membersKind } from './members-kind.ts';

/** All kinds of questions. Each process can answer them for the others. */
export const KINDS: readonly RelayedKind[] = [membersKind, countsKind, changesKind];
