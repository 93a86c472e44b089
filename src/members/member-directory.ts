import type { LargeValue } from '../large-value.ts';

export interface RoleQuery {
  /** Snowflake. */
  readonly guildId: string;
  /** Snowflake; equal to `guildId` it means all members. */
  readonly roleId: string;
  /** True: only the count is wanted, `members` comes back empty. */
  readonly countOnly: boolean;
  /** Length of a page, 1 to 100,000; null for all. */
  readonly limit: number | null;
  /** Snowflake: only ids above it; null from the start. */
  readonly after: string | null;
}

/** Who holds a role, ascending by user id. */
export interface RoleListing {
  readonly pending: false;
  /** All holders, whatever the page. */
  readonly count: number;
  /** Ids in `members`. */
  readonly returned: number;
  /** The last id of the page when more follow. */
  readonly nextAfter: string | null;
  /** Unix seconds at which this version of the list arose. */
  readonly asOf: number;
  /** Opaque; differs whenever the answer to the same query may differ, also between processes. */
  readonly version: string;
  /** The ids as a JSON array of strings. Read it in the turn of the event loop in which the listing came. */
  readonly members: LargeValue;
}

/** A listing that goes on in the background; the same query asks again. */
export interface PendingListing {
  readonly pending: true;
  /** Members read so far. */
  readonly fetched: number;
  /** Members of the guild as far as known, at least `fetched`. */
  readonly total: number | null;
  /** Whole seconds after which asking again makes sense. */
  readonly retryAfterSeconds: number;
}

/** The member list that the gateway feeds. */
export interface MemberDirectory {
  /**
   * @throws Problem `member_list_unavailable` (says why, with `retryAfterSeconds` where waiting helps) or
   * `unknown_role`.
   */
  find(query: RoleQuery, signal: AbortSignal): Promise<RoleListing>;
}

/** The listing over REST with a caller's own bot token. */
export interface TokenDirectory {
  /**
   * @param token as the caller sent it, with or without `Bot `; it lives only as long as the lookup
   * @param keyGuildId guild of the caller's key, whose bounds on bad tokens and passes apply
   * @throws Problem `token_malformed`, `caller_tokens_disabled`, `token_attempts`, `discord_…`, `unknown_guild`,
   * `unknown_role`, `busy`
   */
  find(
    token: string,
    keyGuildId: string,
    query: RoleQuery,
    signal: AbortSignal,
  ): Promise<RoleListing | PendingListing>;
}
