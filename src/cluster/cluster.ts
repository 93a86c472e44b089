import type { DeliveryReport } from '../deliveries/deliveries.ts';
import type { DeliveryPeers } from '../deliveries/delivery-peers.ts';
import type { MemberDirectory } from '../members/member-directory.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { IdentifyAllowance } from './identify-turns.ts';

export interface ClusterState {
  /** While Redis is away, or does not take writes, each process works for itself, see the functions of Cluster. */
  readonly redis: 'ok' | 'away';
  /** False: notices of the others do not arrive. */
  readonly hears: boolean;
  /** Those whose leases run, this one included. */
  readonly processes: number;
  /** Other processes with shards that this one cannot ask. */
  readonly unreachable: number;
  /** Shards of this process that Discord has let in. */
  readonly shards: number;
  /** Those that another process holds, too. */
  readonly shardsHeldTwice: readonly number[];
  /** Questions to other processes that wait for an answer. */
  readonly openQuestions: number;
  /** Memory of long lists of other processes. */
  readonly foreignListBytes: number;
}

/** What the processes of one bot share. Every function works without the others, as far as that can be. */
export interface Cluster extends AsyncDisposable {
  /** Counts for all processes together; each for itself while Redis is away. */
  readonly limiter: Limiter;
  /** Tells all processes that the keys of a guild have changed. A notice may be lost: caches are short-lived. */
  tellKeysChanged(guildId: string): void;
  /** Called when any process has changed the keys of a guild. */
  onKeysChanged(listener: (guildId: string) => void): void;
  /**
   * Resolves when this process may identify in a bucket of `shard % max_concurrency`, or with false when all
   * processes together have used up what Discord allows. Without Redis at once: then each process keeps only its own
   * pace and count.
   * @param allowance what Discord has said to this process
   * @throws the signal's reason
   */
  takeIdentifyTurn(bucket: number, signal: AbortSignal, allowance: IdentifyAllowance): Promise<boolean>;
  /**
   * Discord has let a shard in: this process answers for its guilds from now on. Resolves when others can ask, or
   * when Redis is away; they can then as soon as it is back.
   */
  holdShard(shardId: number, shardCount: number): Promise<void>;
  /** This process stops to answer for its shards; what is being answered goes on. */
  releaseShards(): Promise<void>;
  /**
   * The lists of all processes as one directory. Other processes are answered from `own`.
   * @param own those of this process; null when it has none
   */
  joinMembers(own: MemberDirectory | null): MemberDirectory;
  /** What deliveries share with those of other processes; null when there is no cluster. */
  readonly deliveries: DeliveryPeers | null;
  /** Other processes ask how deliveries of this one are getting on. @param look throws a Problem, too */
  answerLooks(look: (deliveryId: string, ownerId: string) => DeliveryReport): void;
  /** null when there is no cluster. */
  state(): ClusterState | null;
}
