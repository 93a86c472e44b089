import type { Caller, MemberDirectory, RoleListing } from '../members/member-directory.ts';
import type { RoleQuestion } from '../members/role-question.ts';
import { Problem } from '../problem.ts';
import type { Leases } from './leases.ts';
import type { OwnerQuestions } from './owner-questions.ts';

export interface ClusterMembersOptions {
  /** The lists of this process; null when it has none. */
  readonly own: MemberDirectory | null;
  readonly leases: Pick<Leases, 'holds'>;
  readonly questions: Pick<OwnerQuestions, 'ask'>;
}

/**
 * The lists of all guilds: those of its own shards from this process, the others from the process that holds the
 * shard. While a list of this process is being read, another one that holds the shard, too, may have it.
 */
export class ClusterMembers implements MemberDirectory {
  readonly #options: ClusterMembersOptions;

  constructor(options: ClusterMembersOptions) {
    this.#options = options;
  }

  async find(query: RoleQuestion, caller: Caller): Promise<RoleListing> {
    const { own, leases, questions } = this.#options;
    if (own === null || !leases.holds(query.guildId)) return questions.ask(query, caller.signal);
    try {
      const listing = await own.find(query, caller);
      const { isCurrent } = listing;
      return { ...listing, isCurrent: isCurrent && (() => leases.holds(query.guildId) && isCurrent()) };
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return questions.ask(query, caller.signal).catch((elsewhere: unknown) => {
        // Why this process has no list says more than that nobody else has one.
        throw isUnavailable(elsewhere) ? error : elsewhere;
      });
    }
  }
}

function isUnavailable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'member_list_unavailable';
}
