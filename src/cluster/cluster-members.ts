import type { MemberDirectory, RoleListing } from '../members/member-directory.ts';
import type { RoleQuestion } from '../members/role-question.ts';
import { Problem } from '../problem.ts';
import { shardChannel, shardOfGuild } from './channels.ts';
import type { OwnerQuestions } from './owner-questions.ts';
import type { ShardLeases } from './shard-leases.ts';
import { shardIsAway } from './unavailable.ts';

export interface ClusterMembersOptions {
  /** The lists of this process; null when it has none. */
  readonly own: MemberDirectory | null;
  readonly leases: Pick<ShardLeases, 'holds' | 'shardCounts'>;
  readonly questions: Pick<OwnerQuestions, 'ask'>;
  /** Told how each question to another process ended. */
  readonly onQuestion: (outcome: QuestionOutcome) => void;
}

/** A list, a problem of the owner or of ours, or nobody who holds the shard. */
export type QuestionOutcome = 'answered' | 'refused' | 'failed' | 'no_owner';

/**
 * The lists of all guilds: this process's own, and for the others who holds the shard is asked. While lists of this
 * process are being read, another one that holds the shard, too, may have them.
 */
export class ClusterMembers implements MemberDirectory {
  readonly #options: ClusterMembersOptions;

  constructor(options: ClusterMembersOptions) {
    this.#options = options;
  }

  async find(query: RoleQuestion, signal: AbortSignal): Promise<RoleListing> {
    const { own } = this.#options;
    if (own === null) return this.#askOwners(query, signal, null);
    try {
      return await own.find(query, signal);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return this.#askOwners(query, signal, error);
    }
  }

  /** @param ownProblem why this process has no list, which says more when it holds the shard itself */
  async #askOwners(
    query: RoleQuestion,
    signal: AbortSignal,
    ownProblem: Problem | null,
  ): Promise<RoleListing> {
    const { leases, questions, onQuestion } = this.#options;
    let problem: Problem | null = null;
    try {
      for await (const shardCount of this.#shardCounts()) {
        const shardId = shardOfGuild(query.guildId, shardCount);
        if (ownProblem !== null && leases.holds(shardId, shardCount)) problem = ownProblem;
        try {
          const listing = await questions.ask(shardChannel(shardId, shardCount), query, signal);
          onQuestion(listing === null ? 'no_owner' : 'answered');
          if (listing !== null) return listing;
        } catch (error) {
          onQuestion(error instanceof Problem ? 'refused' : 'failed');
          // While the bot is being sharded anew another process may have the list.
          if (!isUnavailable(error)) throw error;
          problem ??= error;
        }
      }
    } catch (error) {
      if (error instanceof Problem || signal.aborted) throw error;
      throw problem ?? shardIsAway(error);
    }
    throw problem ?? shardIsAway('nobody holds the shard');
  }

  async *#shardCounts(): AsyncGenerator<number, void> {
    const { leases } = this.#options;
    const known = await leases.shardCounts();
    yield* known;
    // Nobody had the list: the bot may have been sharded anew just now.
    for (const shardCount of await leases.shardCounts(0)) if (!known.includes(shardCount)) yield shardCount;
  }
}

function isUnavailable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'member_list_unavailable';
}
