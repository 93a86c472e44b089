import type { DeliveryStore } from '../deliveries/delivery-store.ts';
import type { MemberDirectory } from '../members/member-directory.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { IdentifiesLeft } from './identify-throttler.ts';

export interface ClusterState {
  /**
   * `away`: Redis cannot be reached or refuses writes. Each process then works for itself; the functions of Cluster
   * say how.
   */
  readonly redis: 'ok' | 'away';
  /** False when messages from other processes do not arrive. */
  readonly receivesMessages: boolean;
  /** Processes with a valid lease, this one included. */
  readonly processes: number;
  /** Shards of this process that are connected. */
  readonly shards: number;
  /** Shards of this process that another one claims as well. */
  readonly shardsHeldTwice: readonly number[];
  /** Questions to other processes that have no answer yet. */
  readonly openQuestions: number;
  /** Memory taken by long lists from other processes. */
  readonly remoteListBytes: number;
}

/** The processes of one bot. If the others cannot be reached, each function works for this process alone. */
export interface Cluster extends AsyncDisposable {
  /** Counts requests across all processes. While Redis is away, each process counts its own. */
  readonly limiter: Limiter;
  /**
   * Tells all processes that the keys of a guild have changed. A lost notice does little harm, because caches are
   * short-lived.
   */
  publishKeysChanged(guildId: string): void;
  /** Called when any process has changed the keys of a guild. */
  onKeysChanged(listener: (guildId: string) => void): void;
  /**
   * Resolves with true when this process may identify in a bucket of `shard % max_concurrency`, and with false when
   * the processes together have used up what Discord allows. Without Redis it resolves immediately, and each process
   * keeps only its own pace and count.
   * @param identifiesLeft what Discord last reported to this process
   * @throws the signal's reason
   */
  waitForIdentify(bucket: number, signal: AbortSignal, identifiesLeft: IdentifiesLeft): Promise<boolean>;
  /**
   * Call it when Discord has accepted a shard. This process answers for its guilds from now on. Resolves when other
   * processes can ask it. While Redis is away it resolves immediately, and they can ask as soon as Redis is back.
   */
  holdShard(shardId: number, shardCount: number): Promise<void>;
  /** This process stops answering for its shards. Answers under way are finished. */
  releaseShards(): Promise<void>;
  /**
   * Answers other processes from `own`, and returns the lists of all processes as one directory.
   * @param own those of this process; null when it has none
   */
  shareMembers(own: MemberDirectory | null): MemberDirectory;
  /** The processes' shared store of deliveries; null without a cluster. */
  readonly deliveryStore: DeliveryStore | null;
  /** null without a cluster. */
  state(): ClusterState | null;
}
