import type { GatewayRequestGuildMembers } from 'discord-api-types/v10';

import type { Log } from '../../telemetry/log.ts';
import type { RoleCounts } from './self-check.ts';
import type { Timers } from './timers.ts';

export interface GatewayMembersOptions {
  /** Sends a payload on a shard. Throws or rejects when the shard is not connected. */
  readonly requestMembers: (shardId: number, payload: GatewayRequestGuildMembers) => void | Promise<void>;
  /** `GET /guilds/{id}/roles/member-counts` with the bot's own token, or null to go without the self-check. */
  readonly fetchRoleCounts: ((guildId: string, signal: AbortSignal) => Promise<RoleCounts>) | null;
  readonly log: Log;
  readonly timers?: Timers;
  /** Requests a minute and shard. Discord allows 120 payloads of any kind; default 100. */
  readonly requestsPerMinuteMax?: number;
  /** Pause between two requests for all members of a guild, which Discord demands; default 30 s. */
  readonly requestIntervalMs?: number;
  /** Without a chunk for so long the guild is asked again; default 30 s. */
  readonly silenceMs?: number;
  /** So long lists count as whole after a shard has lost its connection; default 30 s. */
  readonly lostConnectionMs?: number;
  /** From one guild's self-check to the next one's; default 15 s. */
  readonly selfCheckMs?: number;
  /** A difference that is still there after it is a lasting one; default 30 s. */
  readonly selfCheckConfirmMs?: number;
  /** Kept JSON of lists; default 32 MiB. */
  readonly pageCacheBytesMax?: number;
}

export interface GatewayMembersStats {
  readonly guilds: { readonly complete: number; readonly loading: number; readonly stale: number };
  readonly members: number;
  readonly indexBytes: number;
  readonly pageCacheBytes: number;
  readonly requestsSent: number;
  /** Guilds whose list differed from Discord's and was mended. */
  readonly healed: number;
}
