import type { MemberDirectory } from '../members/member-directory.ts';
import { Problem } from '../problem.ts';
import type { Leases } from './leases.ts';
import type { OwnerQuestions } from './owner-questions.ts';

/**
 * The lists of all guilds: those of its own shards from this process, the others from the process that holds the
 * shard. While this process still loads a list, another one that also holds the shard may already have it.
 * @param own the lists of this process; null when it has none
 */
export function clusterMembers(
  own: MemberDirectory | null,
  leases: Leases,
  questions: OwnerQuestions,
): MemberDirectory {
  return {
    async find(query, caller) {
      if (own === null || !leases.holds(query.guildId)) return questions.ask(query, caller.signal);
      try {
        return await own.find(query, caller);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        return questions.ask(query, caller.signal).catch((elsewhere: unknown) => {
          // Why this process has no list says more than that nobody else has one.
          throw isUnavailable(elsewhere) ? error : elsewhere;
        });
      }
    },
  };
}

function isUnavailable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'member_list_unavailable';
}
