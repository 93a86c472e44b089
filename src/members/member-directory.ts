import type { LargeValue } from '../large-value.ts';
import type { FactsQuestion, PermissionFacts } from './permission-facts.ts';
import type { RoleQuestion } from './role-question.ts';

/** The answer to a question: who it is about, ascending by user id or drawn at random, or the counts of all roles. */
export interface RoleListing {
  readonly pending: false;
  /** The number of all matches, whatever the page. With counts, the number of all members of the guild. */
  readonly count: number;
  /** The number of ids in `members`, or of roles that were counted. */
  readonly returned: number;
  /** The last id of the page when more follow. */
  readonly nextAfter: string | null;
  /** Unix seconds at which this version of the answer arose. */
  readonly asOf: number;
  /** Opaque; differs whenever the answer to the same question may differ, also between processes. */
  readonly version: string;
  /** The ids as a JSON array of strings; for counts see `readRoleCounts`. Read it in the turn of the event loop in which the listing came. */
  readonly members: LargeValue;
}

/** A listing that goes on in the background; the same question asks again. */
export interface PendingListing {
  readonly pending: true;
  /** Members read so far. */
  readonly fetched: number;
  /** Members of the guild as far as known, at least `fetched`. */
  readonly total: number | null;
  /** Whole seconds after which asking again makes sense. */
  readonly retryAfterSeconds: number;
}

/** A caller who waits for an answer. Read the signal only to wait: the first read may create it. */
export interface Caller {
  readonly signal: AbortSignal;
}

/** The member list that the gateway feeds. */
export interface MemberDirectory {
  /**
   * @throws Problem `member_list_unavailable` (says why, with `retryAfterSeconds` where waiting helps) or
   * `unknown_role`.
   */
  find(question: RoleQuestion, caller: Caller): Promise<RoleListing>;
}

/** The listing over REST with a caller's own bot token. */
export interface TokenDirectory {
  /**
   * @param token the caller's, in the shape of a bot's, without `Bot`; it lives only as long as the lookup
   * @param keyGuildId guild of the caller's key, whose bounds on bad tokens and passes apply
   * @throws Problem `caller_tokens_disabled`, `token_attempts`, `discord_…`, `unknown_guild`,
   * `unknown_role`, `busy`
   */
  find(
    token: string,
    keyGuildId: string,
    question: RoleQuestion,
    signal: AbortSignal,
  ): Promise<RoleListing | PendingListing>;

  /**
   * What decides about a member's permissions, read by id. An answer is at most 10 s old.
   * @param token as above; null for the service's own bot
   * @param keyGuildId as above
   * @throws Problem `unknown_member`, `unknown_channel`, `discord_missing_access` also where the bot is not in the
   * guild, `member_list_unavailable` when the service has no bot, and as above
   */
  readFacts(
    token: string | null,
    keyGuildId: string,
    question: FactsQuestion,
    signal: AbortSignal,
  ): Promise<PermissionFacts>;
}
