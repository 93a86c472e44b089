import { Problem } from '../kernel/problem.ts';

/** A guess: nobody knows how long it takes. */
const RETRY_SECONDS = 5;

/** Nobody holds the shard of the guild, or its owner cannot be reached. */
export function shardAway(cause: unknown): Problem {
  return new Problem('member_list_unavailable/away', { retryAfterSeconds: RETRY_SECONDS, cause });
}

export function tooManyQuestions(): Problem {
  return new Problem('busy', { retryAfterSeconds: 1 });
}

/** The list is too long to go from one process to another. */
export function listTooLong(): Problem {
  return new Problem('busy/list', { field: 'limit', retryAfterSeconds: 1 });
}
