/** All are snowflakes. */
export interface PermissionQuestion {
  readonly guildId: string;
  readonly userId: string;
  /** null for the server as a whole. */
  readonly channelId: string | null;
  /** A user on whom the member wants to act, or null. */
  readonly targetId: string | null;
}

/** The data that decides about a member's permissions, as Discord reports it. */
export interface PermissionInputs {
  readonly ownerId: string;
  /** Discord requires two-factor authentication of moderators. */
  readonly requiresTwoFactor: boolean;
  /** By id. @everyone has the id of the guild. */
  readonly roles: ReadonlyMap<string, RoleInfo>;
  /** The member's roles, without @everyone. */
  readonly roleIds: readonly string[];
  /** Milliseconds since 1970, possibly past; null when the member is not timed out. */
  readonly timedOutUntil: number | null;
  readonly channel: ChannelInfo | null;
  /** null when the question names no target. */
  readonly target: TargetInfo | null;
}

export interface RoleInfo {
  readonly name: string;
  /** As bits. */
  readonly permissions: bigint;
  /** Several roles may have the same. */
  readonly position: number;
  /** It belongs to a bot, to an integration, or to Discord itself. */
  readonly isManaged: boolean;
}

/** `outside`: the account exists but is not in the guild. `unknown`: there is no such account. */
export type TargetInfo =
  | { readonly kind: 'member'; readonly roleIds: readonly string[] }
  | { readonly kind: 'outside' | 'unknown' };

export interface ChannelInfo {
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
