import * as z from 'zod';

import {
  changesQuestionSchema,
  placeSchema,
  readerMoveSchema,
  type ChangesQuestion,
} from '../members/changes-question.ts';
import { IdList } from '../members/index/id-list.ts';
import type {
  Caller,
  GuildRoleCounts,
  MemberDirectory,
  RoleChanges,
  RoleListing,
} from '../members/member-directory.ts';
import {
  countsQuestionSchema,
  membersQuestionSchema,
  type CountsQuestion,
  type MembersQuestion,
} from '../members/role-question.ts';
import { Problem } from '../kernel/problem.ts';
import type { Reply, Written } from './talk.ts';

/** A question about a guild, which decides what process can answer it. */
export interface GuildQuestion {
  readonly guildId: string;
}

interface KindParts<Question extends GuildQuestion, Answer> {
  /** Never changes: processes of several versions use it. */
  readonly name: string;
  readonly question: z.ZodType<Question>;
  readonly ask: (directory: MemberDirectory, question: Question, caller: Caller) => Promise<Answer>;
  readonly write: (answer: Answer) => Written;
  /** undefined when the reply cannot be understood. */
  readonly read: (reply: Reply) => Answer | undefined;
}

/** One kind of question to the lists of another process. */
export type DirectoryKind<Question extends GuildQuestion, Answer> = Pick<
  KindParts<Question, Answer>,
  'name' | 'ask' | 'read'
> &
  AnsweredKind;

/** The same kind, as the process that has the lists sees it. */
export interface AnsweredKind {
  readonly name: string;
  /** @param listsOf the lists of this process; throws when it does not answer for the guild */
  readonly answer: (listsOf: (guildId: string) => MemberDirectory, question: unknown) => Promise<Written>;
}

const nobody = new AbortController();

function defineKind<Question extends GuildQuestion, Answer>(
  kind: KindParts<Question, Answer>,
): DirectoryKind<Question, Answer> {
  const { name, ask, read } = kind;
  return {
    name,
    ask,
    read,
    async answer(listsOf, given) {
      const question = kind.question.safeParse(given).data;
      if (question === undefined) throw new Problem('bad_request');
      return kind.write(await ask(listsOf(question.guildId), question, nobody));
    },
  };
}

const snowflake = z.string().regex(/^\d{1,20}$/);
const whole = z.int().nonnegative();
const version = z.string().max(2_000);

const listingHead = z.object({
  count: whole,
  returned: whole,
  nextAfter: snowflake.nullable(),
  asOf: whole,
  version,
});

export const membersKind = defineKind<MembersQuestion, RoleListing>({
  name: 'members',
  question: membersQuestionSchema,
  ask: (directory, question, caller) => directory.find(question, caller),
  write: ({ members, ...head }) => ({ head, ids: members }),
  read({ head: given, ids }) {
    const head = listingHead.safeParse(given).data;
    return head?.returned === ids.length ? { ...head, members: new IdList(ids) } : undefined;
  },
});

const roleCounts: z.ZodType<GuildRoleCounts> = z.object({
  members: whole,
  roles: z.array(z.object({ roleId: snowflake, count: whole })),
  asOf: whole,
  version,
});

export const countsKind = defineKind<CountsQuestion, GuildRoleCounts>({
  name: 'counts',
  question: countsQuestionSchema,
  ask: (directory, question, caller) => directory.countRoles(question, caller),
  write: (head) => ({ head }),
  read: ({ head }) => roleCounts.safeParse(head).data,
});

const changesHead = z.object({
  /** The first ids. All others are of `removed`. */
  added: whole,
  count: whole,
  asOf: whole,
  place: placeSchema,
  isReset: z.boolean(),
});

export const changesKind = defineKind<ChangesQuestion, RoleChanges>({
  name: 'changes',
  question: changesQuestionSchema,
  ask: (directory, question, caller) => directory.findChanges(question, caller),
  write: ({ added, removed, ...head }) => ({
    head: { ...head, added: added.length },
    ids: new IdList(BigUint64Array.from([...added, ...removed], BigInt)),
  }),
  read({ head: given, ids }) {
    const parsed = changesHead.safeParse(given).data;
    if (parsed === undefined || parsed.added > ids.length) return undefined;
    const { added, ...head } = parsed;
    const all = Array.from(ids, String);
    return { ...head, added: all.slice(0, added), removed: all.slice(added) };
  },
});

/** A notice that a reader has got an answer. It needs no reply. */
export const READER_MOVED = 'reader-moved';

/** @param own the lists of this process */
export function takeReaderMove(own: MemberDirectory | null, given: unknown): void {
  const move = readerMoveSchema.safeParse(given).data;
  if (move !== undefined) own?.moveReader(move);
}

/** All kinds. `clusterMembers` has a way to ask each of them. */
export const DIRECTORY_KINDS: readonly AnsweredKind[] = [membersKind, countsKind, changesKind];
