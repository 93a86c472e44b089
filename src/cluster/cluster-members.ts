import { Problem } from '../kernel/problem.ts';
import { readerOffsetSchema } from '../members/changes/reader.ts';
import { MEMBER_QUERIES } from '../members/all-queries.ts';
import type { Caller, MemberDirectory } from '../members/member-directory.ts';
import type { Leases } from './leases.ts';
import type { ShardHolderRequests } from './shard-holder-requests.ts';
import type { RedisRpc } from './redis-rpc.ts';

/** Needs no reply. Never changes, nor does `place` in it, because processes of several versions use it. */
const READER_OFFSET_COMMITTED = 'reader-moved';

/** Another process. It has its own memory for long lists. */
const PROCESS: Omit<Caller, 'signal'> = { token: null, tenantId: '' };

/**
 * The lists of all guilds: those of this process's own shards are answered here, the others by the process that holds
 * the shard. While this process is still loading a list, another process that holds the same shard may already have it.
 * @param own the lists of this process; null when it has none
 */
export function clusterMembers(
  own: MemberDirectory | null,
  leases: Leases,
  questions: ShardHolderRequests,
): MemberDirectory {
  return {
    async ask(query, question, caller) {
      if (own === null || !leases.holds(question.guildId)) return questions.ask(query, question, caller);
      try {
        return await own.ask(query, question, caller);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        return questions.ask(query, question, caller).catch((elsewhere: unknown) => {
          // Why this process has no list tells the caller more than why no other has one.
          throw isUnavailable(elsewhere) ? error : elsewhere;
        });
      }
    },
    commitReaderOffset(commit) {
      own?.commitReaderOffset(commit);
      // The process that answered has this reader's change log. The others forget the reader.
      const { offset: place, ...reader } = commit;
      const message = { ...reader, place };
      questions.publishToShardHolders(READER_OFFSET_COMMITTED, message);
    },
  };
}

/**
 * Answers the questions of other processes.
 * @param own the lists of this process; null when it has none
 */
export function answerOthers(own: MemberDirectory | null, leases: Leases, rpc: RedisRpc): void {
  const lists: MemberDirectory = {
    async ask(query, question, caller) {
      if (own !== null && leases.holds(question.guildId)) return own.ask(query, question, caller);
      throw new Problem('member_list_unavailable/away', {
        retryAfterSeconds: 5,
        cause: 'this process does not hold the shard',
      });
    },
    commitReaderOffset: (commit) => own?.commitReaderOffset(commit),
  };
  for (const { name, answerRemote } of MEMBER_QUERIES)
    rpc.answer(name, (question, signal) => answerRemote(lists, question, { ...PROCESS, signal }));
  rpc.hear(READER_OFFSET_COMMITTED, (given) => {
    const commit = readerOffsetSchema.safeParse(given).data;
    if (commit !== undefined) lists.commitReaderOffset(commit);
  });
}

function isUnavailable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'member_list_unavailable';
}
