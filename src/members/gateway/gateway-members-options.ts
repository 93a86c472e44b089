import type { GatewayRequestGuildMembers } from 'discord-api-types/v10';

import type { Log } from '../../telemetry/log.ts';
import type { ChangeLogLimits, ChangeLogStats } from '../changes/role-change-logs.ts';
import type { RoleCounts } from '../discord-answers.ts';
import type { ShardStates } from './shard-states.ts';
import type { Timers } from '../timers.ts';

export interface GatewayMembersOptions {
  /** Decides whether a list counts as complete. */
  readonly shardStates: ShardStates;
  /** Sends a payload on a shard. Throws or rejects if the shard is not connected. */
  readonly requestMembers: (shardId: number, payload: GatewayRequestGuildMembers) => void;
  /** `GET /guilds/{id}/roles/member-counts` with the bot's own token, or null to go without the self-check. */
  readonly fetchRoleCounts: ((guildId: string, signal: AbortSignal) => Promise<RoleCounts>) | null;
  readonly log: Log;
  readonly timers?: Timers;
  /** Requests that a shard sends in 65 s. Discord allows 120 payloads of any kind in 60 s. Default 110. */
  readonly sendsMax?: number;
  /** Time from one guild's self-check to the next one's. Default 15 s. */
  readonly selfCheckMs?: number;
  /** Bounds of the change logs. */
  readonly changeLogs?: Partial<ChangeLogLimits>;
}

export interface GatewayMembersStats {
  readonly guilds: { readonly complete: number; readonly loading: number; readonly stale: number };
  readonly members: number;
  readonly indexBytes: number;
  /** Lists that differed from Discord's counts and were fixed. */
  readonly resynced: number;
  readonly changes: ChangeLogStats;
}
