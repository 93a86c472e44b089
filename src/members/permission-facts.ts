/** Whose permissions are asked for, and where. All are snowflakes. */
export interface FactsQuestion {
  readonly guildId: string;
  readonly userId: string;
  /** null: in the server at large. */
  readonly channelId: string | null;
}

/** What Discord says that decides about permissions. */
export interface PermissionFacts {
  readonly ownerId: string;
  /** What each role of the guild allows; @everyone has the id of the guild. */
  readonly roles: ReadonlyMap<string, bigint>;
  /** Of the member, without @everyone. */
  readonly roleIds: readonly string[];
  /** Milliseconds since 1970; null when the member is not timed out. It may be past. */
  readonly timedOutUntil: number | null;
  readonly channel: ChannelFacts | null;
}

export interface ChannelFacts {
  /** Of a thread those of its parent. */
  readonly overwrites: readonly { readonly id: string; readonly allow: bigint; readonly deny: bigint }[];
  /** Voice and stage channels. */
  readonly isVoice: boolean;
  readonly thread: {
    readonly isPrivate: boolean;
    readonly isLocked: boolean;
    readonly hasMember: boolean;
  } | null;
}
