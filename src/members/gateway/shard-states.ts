import { shardOf } from '../../kernel/snowflake.ts';
import type { ProcessPauseDetector } from './process-pause-detector.ts';
import { systemTimers, type Timers } from '../timers.ts';

/**
 * A reason why our data about a shard's guilds may be out of date. `connecting`: the shard has not been ready yet.
 * `lost`: it has been disconnected, or silent, for too long. `paused`: this process was paused, and Discord has not
 * yet confirmed that all events since have arrived. `ended`: it will not come back by itself.
 */
export type UnreadyReason = 'connecting' | 'lost' | 'paused' | 'ended';

export interface ShardStatesOptions {
  readonly processPauses: ProcessPauseDetector;
  readonly timers?: Timers;
  /**
   * Discord acknowledges each heartbeat, so a shard that is silent for a heartbeat interval plus this is disconnected.
   * Default 10 s.
   */
  readonly silenceMarginMs?: number;
}

/** All instants are of the monotonic clock. */
interface Shard {
  sessionId: string | null;
  /** The instant at which the session became ready or resumed; null before that, and while the connection is lost. */
  connectedAt: number | null;
  /** The instant of the last frame of a session that became ready. */
  heardAt: number;
  lostAt: number | null;
  heartbeatIntervalMs: number;
  /** When the last acknowledged heartbeat was sent. Everything that Discord sent before then has arrived. */
  confirmedAt: number;
  /** Instants at which the heartbeats without an acknowledgement were sent, oldest first. */
  readonly unackedHeartbeats: number[];
  /** The instant at which IDENTIFY or RESUME was sent. */
  requestedAt: number;
}

/** Discord's usual interval; HELLO gives the real one. */
const HEARTBEAT_INTERVAL_MS = 41_250;

/** Lists are still answered for this long after we saw a connection end. */
const LOST_CONNECTION_MS = 30_000;

/** The connection is closed after two heartbeats without an acknowledgement, so more are not needed. */
const UNANSWERED_MAX = 16;

/**
 * The only source of the state of this process's shards. The connection reports every frame to it. Member lists,
 * leases, readiness and metrics ask it before they trust the data of a shard.
 */
export class ShardStates {
  readonly #processPauses: ProcessPauseDetector;
  readonly #timers: Timers;
  readonly #silenceMarginMs: number;
  readonly #shards = new Map<number, Shard>();
  #shardCount: number | null = null;
  #endReason: string | null = null;

  constructor({ processPauses, timers = systemTimers, silenceMarginMs = 10_000 }: ShardStatesOptions) {
    this.#processPauses = processPauses;
    this.#timers = timers;
    this.#silenceMarginMs = silenceMarginMs;
  }

  // Called by the connection.

  /** Call it when a connection of these shards begins. It forgets what an earlier connection reported. */
  begin(shardIds: readonly number[], shardCount: number): void {
    this.#endReason = null;
    this.#shards.clear();
    this.#shardCount = shardCount;
    for (const shardId of shardIds) this.#shards.set(shardId, newShard());
  }

  /** HELLO on a new socket. */
  hello(shardId: number, heartbeatIntervalMs: number): void {
    const shard = this.#shardOf(shardId);
    shard.heartbeatIntervalMs = heartbeatIntervalMs;
    shard.unackedHeartbeats.length = 0;
  }

  /** IDENTIFY or RESUME is being sent. */
  sessionRequested(shardId: number): void {
    this.#shardOf(shardId).requestedAt = this.#timers.monotonic();
  }

  /** READY: a session has begun. Discord does not send events from before. */
  ready(shardId: number, sessionId: string): void {
    this.#shardOf(shardId).sessionId = sessionId;
    this.#markReady(shardId);
  }

  /** RESUMED: Discord has sent everything that we missed. */
  resumed(shardId: number): void {
    this.#markReady(shardId);
  }

  /** Any dispatch. It is ignored while a session is being resumed, because it may be an old one. */
  heard(shardId: number): void {
    const shard = this.#shardOf(shardId);
    if (shard.connectedAt !== null) shard.heardAt = this.#timers.monotonic();
  }

  heartbeatSent(shardId: number): void {
    const { unackedHeartbeats } = this.#shardOf(shardId);
    unackedHeartbeats.push(this.#timers.monotonic());
    if (unackedHeartbeats.length > UNANSWERED_MAX) unackedHeartbeats.shift();
  }

  /** Discord sends in order, so everything from before the acknowledgement has arrived. */
  heartbeatAcked(shardId: number): void {
    const shard = this.#shardOf(shardId);
    const sentAt = shard.unackedHeartbeats.shift();
    if (shard.connectedAt === null) return;
    shard.heardAt = this.#timers.monotonic();
    if (sentAt !== undefined) shard.confirmedAt = Math.max(shard.confirmedAt, sentAt);
  }

  /**
   * The connection has ended, for now.
   * @param isUpToDate true when Discord ended it (by a close code, opcode 7 or 9), so nothing was missed until now
   */
  lost(shardId: number, { isUpToDate }: { readonly isUpToDate: boolean }): void {
    const shard = this.#shardOf(shardId);
    if (shard.connectedAt === null) return;
    const now = this.#timers.monotonic();
    if (isUpToDate) shard.heardAt = now;
    shard.lostAt = now;
    shard.connectedAt = null;
  }

  /** No shard will reconnect by itself. @param reason one sentence for operators */
  end(reason: string): void {
    this.#endReason = reason;
    this.#shards.clear();
  }

  // Called by all other code.

  /** Returns the reason not to answer from lists of this shard now, or null. */
  unreadyReason(shardId: number): UnreadyReason | null {
    if (this.#endReason !== null) return 'ended';
    const shard = this.#shards.get(shardId);
    if (shard === undefined || shard.sessionId === null) return 'connecting';
    if (this.#processPauses.pausedSince(shard.confirmedAt)) return 'paused';
    const now = this.#timers.monotonic();
    if (now - shard.heardAt >= shard.heartbeatIntervalMs + this.#silenceMarginMs) return 'lost';
    return shard.lostAt !== null && now - shard.lostAt >= LOST_CONNECTION_MS ? 'lost' : null;
  }

  /** True when payloads can be sent on it. */
  isConnected(shardId: number): boolean {
    return this.connectedMs(shardId) !== null;
  }

  /** Milliseconds since the session became ready or resumed; null while it is not connected. */
  connectedMs(shardId: number): number | null {
    const connectedAt = this.#shards.get(shardId)?.connectedAt ?? null;
    return connectedAt === null ? null : this.#timers.monotonic() - connectedAt;
  }

  /** Returns null until the number of shards is known. */
  shardOfGuild(guildId: string): number | null {
    return this.#shardCount === null ? null : shardOf(guildId, this.#shardCount);
  }

  /** Shards of this process; null until they are known. */
  get shards(): number | null {
    return this.#shardCount === null ? null : this.#shards.size;
  }

  /** Shards that are connected and have no unready reason. */
  get shardsReady(): number {
    let ready = 0;
    for (const [shardId, { connectedAt }] of this.#shards) {
      if (connectedAt !== null && this.unreadyReason(shardId) === null) ready += 1;
    }
    return ready;
  }

  /** One sentence for operators, or null unless the connection is over for good. */
  get endReason(): string | null {
    return this.#endReason;
  }

  #markReady(shardId: number): void {
    const shard = this.#shardOf(shardId);
    const now = this.#timers.monotonic();
    shard.connectedAt = now;
    shard.heardAt = now;
    shard.lostAt = null;
    shard.confirmedAt = Math.max(shard.confirmedAt, shard.requestedAt);
  }

  #shardOf(shardId: number): Shard {
    let shard = this.#shards.get(shardId);
    if (shard === undefined) {
      shard = newShard();
      this.#shards.set(shardId, shard);
    }
    return shard;
  }
}

function newShard(): Shard {
  return {
    sessionId: null,
    connectedAt: null,
    heardAt: -Infinity,
    lostAt: null,
    heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
    confirmedAt: -Infinity,
    unackedHeartbeats: [],
    requestedAt: -Infinity,
  };
}
