import type { ChangesQuestion, ReaderMove, RecordPlace } from './changes-question.ts';
import type { IdList } from './index/id-list.ts';
import type { RoleCount } from './index/member-index.ts';
import type { CountsQuestion, MembersQuestion } from './role-question.ts';

/** Ids ascending or drawn at random. */
export interface RoleListing {
  /** All matches, whatever the page. */
  readonly count: number;
  /** Ids in `members`. */
  readonly returned: number;
  /** The last id of the page; null when no more follow. */
  readonly nextAfter: string | null;
  /** Unix seconds since when this answer has been the same. */
  readonly asOf: number;
  /** Opaque; differs whenever the answer to the same question may differ, also between processes. */
  readonly version: string;
  /** Read it before the event loop turns again. */
  readonly members: IdList;
}

/** How many hold each role of a guild. */
export interface GuildRoleCounts {
  /** All members of the guild. */
  readonly members: number;
  /** Ascending by id, without @everyone. */
  readonly roles: readonly RoleCount[];
  /** Unix seconds since when this answer has been the same. */
  readonly asOf: number;
  /** Like the `version` of a listing. */
  readonly version: string;
}

/** Who got and who lost a role since a place in its record. */
export interface RoleChanges {
  /** Ascending. The list at that place, with `added` and without `removed`, is the list now. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Length of the list now. */
  readonly count: number;
  /** Unix seconds since when the list has been the same. */
  readonly asOf: number;
  /** The current place in the record. */
  readonly place: RecordPlace;
  /** True when it is not known what happened since: then both lists are empty. */
  readonly isReset: boolean;
}

/** All are snowflakes. */
export interface FactsQuestion {
  readonly guildId: string;
  readonly userId: string;
  /** null: in the server as a whole. */
  readonly channelId: string | null;
}

/** As Discord reports them, before anything is computed. */
export interface PermissionFacts {
  readonly ownerId: string;
  /** Permission bits by role id. @everyone has the id of the guild. */
  readonly roles: ReadonlyMap<string, bigint>;
  /** The member's roles, without @everyone. */
  readonly roleIds: readonly string[];
  /** Milliseconds since 1970; null when the member is not timed out. It may be past. */
  readonly timedOutUntil: number | null;
  readonly channel: ChannelFacts | null;
}

export interface ChannelFacts {
  /** A thread has those of its parent. */
  readonly overwrites: readonly { readonly id: string; readonly allow: bigint; readonly deny: bigint }[];
  /** True for voice and stage channels. */
  readonly isVoice: boolean;
  readonly thread: {
    readonly isPrivate: boolean;
    readonly isLocked: boolean;
    readonly hasMember: boolean;
  } | null;
}

/** Read the signal only to wait: the first read may create it. */
export interface Caller {
  readonly signal: AbortSignal;
}

/** The member list that the gateway feeds. */
export interface MemberDirectory {
  /**
   * @throws Problem `member_list_unavailable` (says why, with `retryAfterSeconds` where waiting helps) or
   * `unknown_role`.
   */
  find(question: MembersQuestion, caller: Caller): Promise<RoleListing>;
  /** @throws Problem `member_list_unavailable`, as above */
  countRoles(question: CountsQuestion, caller: Caller): Promise<GuildRoleCounts>;
  /** @throws Problem as `find` does */
  findChanges(question: ChangesQuestion, caller: Caller): Promise<RoleChanges>;
  /**
   * Call it when a reader has received a whole answer: its next question counts from there on. The call may get lost.
   */
  moveReader(move: ReaderMove): void;
}

/** The listing over REST with a caller's own bot token. */
export interface TokenDirectory {
  /**
   * @param token the caller's, shaped like a bot token, without `Bot`; it is kept only as long as the lookup
   * @param keyGuildId guild of the caller's key, whose limits on bad tokens and listings apply
   * @throws Problem `caller_tokens_disabled`, `token_attempts`, `discord_…`, `unknown_guild`, `unknown_role`, `busy`,
   * `member_list_unavailable` while a long listing goes on: ask the same question again
   */
  find(
    token: string,
    keyGuildId: string,
    question: MembersQuestion,
    signal: AbortSignal,
  ): Promise<RoleListing>;

  /**
   * As `find`, with one or two calls.
   * @throws Problem as `find` does
   */
  countRoles(
    token: string,
    keyGuildId: string,
    question: CountsQuestion,
    signal: AbortSignal,
  ): Promise<GuildRoleCounts>;

  /**
   * Reads the facts by id that decide about a member's permissions. An answer is at most 10 s old.
   * @param token as above; null for the service's own bot
   * @param keyGuildId as above; without a token it plays no part
   * @throws Problem `unknown_member`, `unknown_channel`, `discord_missing_access` (also when the bot is not in the
   * guild), `member_list_unavailable` when the service has no bot, and those above
   */
  readFacts(
    token: string | null,
    keyGuildId: string,
    question: FactsQuestion,
    signal: AbortSignal,
  ): Promise<PermissionFacts>;
}
