import type { Caller, MemberDirectory } from '../members/member-directory.ts';
import { Problem } from '../kernel/problem.ts';
import {
  changesKind,
  countsKind,
  membersKind,
  READER_MOVED,
  type DirectoryKind,
  type GuildQuestion,
} from './directory-kinds.ts';
import type { Leases } from './leases.ts';
import type { OwnerQuestions } from './owner-questions.ts';

/**
 * The lists of all guilds: those of this process's own shards are answered here, the others by the process that holds
 * the shard. While this process is still loading a list, another process that holds the same shard may already have it.
 * @param own the lists of this process; null when it has none
 */
export function clusterMembers(
  own: MemberDirectory | null,
  leases: Leases,
  questions: OwnerQuestions,
): MemberDirectory {
  async function ask<Question extends GuildQuestion, Answer>(
    kind: DirectoryKind<Question, Answer>,
    question: Question,
    caller: Caller,
  ): Promise<Answer> {
    if (own === null || !leases.holds(question.guildId)) return questions.ask(kind, question, caller.signal);
    try {
      return await kind.ask(own, question, caller);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return questions.ask(kind, question, caller.signal).catch((elsewhere: unknown) => {
        // The reason why this process has no list says more than that nobody else has one.
        throw isUnavailable(elsewhere) ? error : elsewhere;
      });
    }
  }
  return {
    find: (question, caller) => ask(membersKind, question, caller),
    countRoles: (question, caller) => ask(countsKind, question, caller),
    findChanges: (question, caller) => ask(changesKind, question, caller),
    moveReader(move) {
      own?.moveReader(move);
      // The process that answered has this reader's record. The others ignore the message.
      questions.tellOwners(READER_MOVED, move);
    },
  };
}

function isUnavailable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'member_list_unavailable';
}
