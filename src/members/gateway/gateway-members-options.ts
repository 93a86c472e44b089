import type { GatewayRequestGuildMembers } from 'discord-api-types/v10';

import type { Log } from '../../telemetry/log.ts';
import type { ChangeLogLimits, ChangeLogStats } from '../changes/role-change-logs.ts';
import type { RoleCounts } from '../discord-answers.ts';
import type { ShardStates } from './shard-states.ts';
import type { Timers } from '../timers.ts';

export interface GatewayMembersOptions {
  /** Decides whether a list counts as complete. */
  readonly shardStates: ShardStates;
  /** Sends a payload on a shard. Throws or rejects when the shard is not connected. */
  readonly requestMembers: (shardId: number, payload: GatewayRequestGuildMembers) => void;
  /** `GET /guilds/{id}/roles/member-counts` with the bot's own token, or null to go without the self-check. */
  readonly fetchRoleCounts: ((guildId: string, signal: AbortSignal) => Promise<RoleCounts>) | null;
  readonly log: Log;
  readonly timers?: Timers;
  /** Requests that a shard sends in 65 s. Discord allows 120 payloads of any kind in 60 s. Default 110. */
  readonly sendsMax?: number;
  /** Time from one guild's self-check to the next one's. Default 15 s. */
  readonly selfCheckMs?: number;
  /** Bounds of the records of role changes. */
  readonly changeLogs?: Partial<ChangeLogLimits>;
}

export interface GatewayMembersStats {
  readonly guilds: { readonly complete: number; readonly loading: number; readonly stale: number };
  readonly members: number;
  readonly indexBytes: number;
  /** Guilds whose list differed from Discord's and was fixed. */
  readonly resynced: number;
  /** Records of who got and lost roles. */
  readonly changes: ChangeLogStats;
}
