import type * as z from 'zod';

import { Problem } from '../kernel/problem.ts';
import type { ReaderOffset } from './changes/reader.ts';
import type { RoleChangeLogs } from './changes/role-change-logs.ts';
import type { GuildInfo, RoleCounts } from './discord-answers.ts';
import type { MemberIndex } from './index/member-index.ts';
import type { PermissionInputs, PermissionQuestion } from './permission-inputs.ts';

export interface Caller {
  /** Aborts when the caller has left or has read the answer. */
  readonly signal: AbortSignal;
  /** The caller's bot token, without `Bot`, or null. Drop it with the question. */
  readonly token: string | null;
  /** The guild of the caller's key, whose limits apply. */
  readonly tenantId: string;
}

export interface CompleteList {
  readonly index: MemberIndex;
  readonly changeLogs: RoleChangeLogs;
}

/** A question about a guild. The guild decides which process can answer it. */
export interface GuildQuestion {
  readonly guildId: string;
}

/** Reads a guild from Discord with a caller's token. */
export interface GuildReader {
  /**
   * All members, for a caller who still waits.
   * @throws Problem `unknown_role` when the guild does not have one of the roles; the reason of the caller's signal
   * once it has aborted
   */
  readMembers(roleIds: readonly string[]): Promise<MemberIndex>;
  /** @throws Problem `unknown_role`, as above */
  readGuild(roleIds?: readonly string[]): Promise<GuildInfo>;
  readRoleCounts(): Promise<RoleCounts>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** An answer on its way to another process. */
export interface Written {
  /** Plain data. */
  readonly summary: unknown;
  readonly ids?: { readonly length: number; toBigUint64Array(): BigUint64Array };
}

export interface Received {
  /** Plain data that has not been validated. */
  readonly summary: unknown;
  readonly ids: BigUint64Array;
}

/** A type of question about the members of a guild. `all-queries.ts` lists all. */
export interface MemberQuery<Question extends GuildQuestion, Answer> extends RemoteQuery {
  /** Answers from a complete list. @throws Problem `unknown_role` */
  readonly answer: (list: CompleteList, question: Question) => Answer;
  /** Asks Discord. null when Discord has no call for it. */
  readonly askDiscord: ((guild: GuildReader, question: Question) => Promise<Answer>) | null;
  /** Returns undefined for data that it cannot understand. */
  readonly read: (received: Received) => Answer | undefined;
}

/** The part of a query that answers other processes. */
export interface RemoteQuery {
  /** Never changes: processes of several versions use it. */
  readonly name: string;
  /** Answers a question of another process. @throws Problem of the directory; `bad_request` */
  readonly answerRemote: (directory: MemberDirectory, question: unknown, caller: Caller) => Promise<Written>;
}

interface QueryParts<Question extends GuildQuestion, Answer> extends Omit<
  MemberQuery<Question, Answer>,
  'answerRemote'
> {
  /** For questions that come from another process. */
  readonly question: z.ZodType<Question>;
  readonly write: (answer: Answer) => Written;
}

export function defineQuery<Question extends GuildQuestion, Answer>(
  parts: QueryParts<Question, Answer>,
): MemberQuery<Question, Answer> {
  const query: MemberQuery<Question, Answer> = {
    ...parts,
    async answerRemote(directory, given, caller) {
      const question = parts.question.safeParse(given).data;
      if (question === undefined) throw new Problem('bad_request');
      return parts.write(await directory.ask(query, question, caller));
    },
  };
  return query;
}

/** Answers questions about members: from the lists of this process, which the gateway feeds, or of all processes. */
export interface MemberDirectory {
  /**
   * @throws Problem `member_list_unavailable` (says why, with `retryAfterSeconds` where waiting helps), or those of the
   * query
   */
  ask<Question extends GuildQuestion, Answer>(
    query: MemberQuery<Question, Answer>,
    question: Question,
    caller: Caller,
  ): Promise<Answer>;
  /**
   * Call it when a reader has received a whole answer, so that its next question starts there. The call may get lost.
   */
  commitReaderOffset(commit: ReaderOffset): void;
}

/** Asks Discord over REST with the token of the caller's own bot. */
export interface RestMemberDirectory {
  /**
   * @throws Problem `caller_tokens_disabled`, `token_attempts`, `discord_…`, `unknown_guild`, `unknown_role`, `busy`,
   * `member_list_unavailable` while a long listing goes on: ask the same question again
   */
  ask: MemberDirectory['ask'];

  /**
   * Reads what decides about a member's permissions. Without a token, the service's own bot asks. An answer is at most
   * 10 s old.
   * @throws Problem `unknown_member`, `unknown_channel`, `discord_missing_access` (also when the bot is not in the
   * guild), `member_list_unavailable` when the service has no bot, and those above
   */
  readPermissionInputs(question: PermissionQuestion, caller: Caller): Promise<PermissionInputs>;
}
