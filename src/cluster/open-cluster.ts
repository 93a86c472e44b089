import { randomUUID } from 'node:crypto';

import { ExplainedFailure, reasonOf } from '../kernel/explained-failure.ts';
import { Limiter, type Buckets } from '../rate-limit/limiter.ts';
import { describeFailure } from '../storage/backend.ts';
import { connectRedis } from '../storage/redis-connection.ts';
import type { Log } from '../telemetry/log.ts';
import type { Cluster } from './cluster.ts';
import { answerOthers, clusterMembers } from './cluster-members.ts';
import { Channels } from './channels.ts';
import { Heartbeat } from './heartbeat.ts';
import { identifyThrottler } from './identify-throttler.ts';
import { Leases } from './leases.ts';
import { ShardHolderRequests, type QuestionLimits } from './shard-holder-requests.ts';
import { RedisDeliveryStore } from './redis-delivery-store.ts';
import { RedisRpc } from './redis-rpc.ts';

export interface ClusterOptions {
  readonly buckets: Buckets;
  readonly log: Log;
  /**
   * When this process last noticed a pause of its own, on the clock of `performance.now()`; -Infinity without one.
   */
  readonly lastProcessPauseAt?: () => number;
  /** Default 1,000 ms. */
  readonly commandTimeoutMs?: number;
  /** Default 2,000 ms. */
  readonly connectTimeoutMs?: number;
  /**
   * Redis has to accept a message to another process within this time. If Redis is silent, counting the request has
   * already taken `commandTimeoutMs`, and both together must not exceed the time for an answer. Default 2,000 ms.
   */
  readonly messageTimeoutMs?: number;
  /** Time between two signs of life of this process. Default 5,000 ms. */
  readonly renewMs?: number;
  /** Time between two attempts to renew a lease that Redis did not take. Default 1,000 ms. */
  readonly retryMs?: number;
  /** A process counts as gone this long after its last sign of life. Default 15,000 ms. */
  readonly leaseMs?: number;
  /** Time between two identifies in a bucket. Default 5,250 ms. */
  readonly identifyWindowMs?: number;
  /** A webhook stays locked this long after its process has died: longer than a call takes. Default 30,000 ms. */
  readonly webhookLockMs?: number;
  /**
   * No webhook is locked for this long after Redis was restarted or replaced. A call that locked one before may still
   * be running. Default 23,000 ms.
   */
  readonly noLocksMs?: number;
  readonly limits?: Partial<ClusterLimits>;
}

export interface ClusterLimits extends QuestionLimits {
  /** While more than this waits to be sent, this process answers no others. */
  readonly unsentBytesMax: number;
}

const MEBIBYTE = 2 ** 20;
const LIMITS: ClusterLimits = {
  answerMs: 3_000,
  questionsMax: 512,
  heldBytesMax: 128 * MEBIBYTE,
  comingBytesMax: 16 * MEBIBYTE,
  listBytesMax: 30 * MEBIBYTE,
  unsentBytesMax: 64 * MEBIBYTE,
};

/**
 * Joins the processes of one bot: all those that use this database of this Redis.
 * @throws ExplainedFailure with a sentence for operators when Redis cannot be used
 */
export async function openCluster(redisUrl: string, options: ClusterOptions): Promise<Cluster> {
  const { log, commandTimeoutMs = 1_000, connectTimeoutMs = 2_000, messageTimeoutMs = 2_000 } = options;
  const { renewMs = 5_000, retryMs = 1_000, leaseMs = 15_000, identifyWindowMs = 5_250 } = options;
  const { webhookLockMs = 30_000, noLocksMs = 23_000, lastProcessPauseAt = () => -Infinity } = options;
  const processId = randomUUID();
  await using resources = new AsyncDisposableStack();
  const redis = await withSetting(connectRedis(redisUrl, { commandTimeoutMs, connectTimeoutMs }));
  resources.defer(() => redis.disconnect());
  const limits = { ...LIMITS, ...options.limits };
  const channels = resources.use(
    // Messages may be long.
    await withSetting(
      Channels.open({
        url: redisUrl,
        redis,
        processId,
        commandTimeoutMs: messageTimeoutMs,
        connectTimeoutMs,
      }),
    ),
  );
  const leases = new Leases({ redis, processId, leaseMs });
  const rpc = resources.use(new RedisRpc({ channels, processId, log, ...limits }));
  const questions = new ShardHolderRequests({ leases, rpc, limits, lastProcessPauseAt });
  await leases.renew().catch((cause: unknown) => {
    throw new ExplainedFailure(`REDIS_URL: ${describeFailure('Redis', redisUrl, cause)}`, { cause });
  });
  resources.defer(() => leases.leave().catch(() => undefined));
  const heartbeat = new Heartbeat({ leases, channels, log });
  const beating = setInterval(() => void heartbeat.beat(), renewMs).unref();
  resources.defer(() => clearInterval(beating));
  const retrying = setInterval(() => void heartbeat.renewIfAway(), retryMs).unref();
  resources.defer(() => clearInterval(retrying));
  const renewAndTell = async () => {
    await heartbeat.renew();
    channels.publish('shards');
  };
  channels.listen('shards', () => void heartbeat.renew());
  channels.onReady(() => void renewAndTell());

  const owned = resources.move();
  return {
    limiter: new Limiter(options.buckets, redis),
    publishKeysChanged: (guildId) => channels.publish('keys', guildId),
    onKeysChanged: (listener) => channels.listen('keys', listener),
    waitForIdentify: identifyThrottler({ redis, log, windowMs: identifyWindowMs }),
    async holdShard(shardId, shardCount) {
      leases.hold(shardId, shardCount);
      await renewAndTell();
    },
    async releaseShards() {
      leases.release();
      await renewAndTell();
    },
    shareMembers(own) {
      answerOthers(own, leases, rpc);
      return clusterMembers(own, leases, questions);
    },
    deliveryStore: new RedisDeliveryStore({ redis, lockMs: webhookLockMs, noLocksMs }),
    state: () => ({
      redis: heartbeat.trouble.away === 0 && redis.status === 'ready' ? 'ok' : 'away',
      receivesMessages: heartbeat.trouble.noMessages === 0,
      processes: leases.others.length + 1,
      shards: leases.shards,
      shardsHeldTwice: leases.heldTwice,
      ...questions.state,
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Adds the name of the setting to change. */
function withSetting<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((cause: unknown) => {
    throw new ExplainedFailure(`REDIS_URL: ${reasonOf(cause)}`, {
      cause,
      isFinal: cause instanceof ExplainedFailure && cause.isFinal,
    });
  });
}
