import { Problem } from '../problem.ts';

/** A guess: nobody knows how long it takes. */
const RETRY_SECONDS = 5;

/** Nobody holds the shard of the guild, or its owner cannot be reached. */
export function shardIsAway(cause: unknown): Problem {
  return new Problem('member_list_unavailable', {
    error: 'The part of this service that looks after this server cannot be reached at the moment.',
    hint: 'It comes back by itself. Or send a bot token of your own in the Token header.',
    retryAfterSeconds: RETRY_SECONDS,
    cause,
  });
}

export function tooManyQuestions(): Problem {
  return new Problem('busy', { retryAfterSeconds: 1 });
}

/** For the way from process to process. */
export function listTooLong(): Problem {
  return new Problem('busy', {
    field: 'limit',
    error: 'This list is too long to be fetched in one piece from the part of this service that has it.',
    hint: 'Ask for pages: send limit=100000 or less, and next_after of each page as after of the next.',
    retryAfterSeconds: 1,
  });
}
