/** All are snowflakes. */
export interface FactsQuestion {
  readonly guildId: string;
  readonly userId: string;
  /** null: in the server at large. */
  readonly channelId: string | null;
}

/** As Discord says them, before anything is worked out. */
export interface PermissionFacts {
  readonly ownerId: string;
  /** Permission bits by role id. @everyone has the id of the guild. */
  readonly roles: ReadonlyMap<string, bigint>;
  /** The member's, without @everyone. */
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
