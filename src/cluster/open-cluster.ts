import { randomUUID } from 'node:crypto';

import { ExplainedFailure } from '../explained-failure.ts';
import { Limiter, type Buckets } from '../rate-limit/limiter.ts';
import { describeFailure } from '../storage/backend.ts';
import { connectRedis } from '../storage/redis-connection.ts';
import type { Log } from '../telemetry/log.ts';
import type { Cluster } from './cluster.ts';
import { clusterMembers } from './cluster-members.ts';
import { Heartbeat } from './heartbeat.ts';
import { identifyTurns } from './identify-turns.ts';
import { Leases } from './leases.ts';
import { Notices } from './notices.ts';
import { OwnerQuestions, type QuestionLimits, type QuestionOutcome } from './owner-questions.ts';
import { OwnerServer } from './owner-server.ts';
import { SharedDeliveries } from './shared-deliveries.ts';

export interface ClusterOptions {
  readonly buckets: Buckets;
  readonly log: Log;
  /** Called at the end of each question to another process. */
  readonly onQuestion: (outcome: QuestionOutcome) => void;
  /** The other processes reach this one here. Default: the address with which it reaches Redis, and a free port. */
  readonly host?: string | null;
  readonly port?: number | null;
  /**
   * When this process last noticed that it had stood still, on the clock of `performance.now()`; -Infinity when it
   * never did.
   */
  readonly lastGapAt?: () => number;
  /** Default 1,000 ms. */
  readonly commandTimeoutMs?: number;
  /** Default 2,000 ms. */
  readonly connectTimeoutMs?: number;
  /** From one sign of life of this process to the next. Default 5,000 ms. */
  readonly renewMs?: number;
  /** A process counts as gone this long after its last sign of life. Default 15,000 ms. */
  readonly leaseMs?: number;
  /** From one identify in a bucket to the next. Default 5,250 ms. */
  readonly identifyWindowMs?: number;
  /** A webhook stays this long with a process that has died. Default 15,000 ms. */
  readonly webhookLockMs?: number;
  /** An Idempotency-Key is known for this long while its text is being posted. Default 25 minutes. */
  readonly sendKeyMs?: number;
  readonly limits?: Partial<QuestionLimits>;
}

/**
 * Joins the processes that use this database of this Redis: all those of one bot.
 *
 * @throws ExplainedFailure with a sentence for operators when Redis cannot be used, or this process cannot be asked there
 */
export async function openCluster(redisUrl: string, options: ClusterOptions): Promise<Cluster> {
  const { log, onQuestion, commandTimeoutMs = 1_000, connectTimeoutMs = 2_000 } = options;
  const { renewMs = 5_000, leaseMs = 15_000, identifyWindowMs = 5_250 } = options;
  const { webhookLockMs = 15_000, sendKeyMs = 1_500_000 } = options;
  const { lastGapAt = () => -Infinity } = options;
  const processId = randomUUID();
  await using opening = new AsyncDisposableStack();
  const redis = await named(connectRedis(redisUrl, { commandTimeoutMs, connectTimeoutMs }));
  opening.defer(() => redis.disconnect());
  const notices = opening.use(
    await named(Notices.open({ url: redisUrl, redis, processId, commandTimeoutMs, connectTimeoutMs })),
  );
  const leases = new Leases({ redis, processId, leaseMs, lastGapAt });
  const questions = opening.use(
    new OwnerQuestions({ leases, limits: options.limits, onQuestion, lastGapAt }),
  );
  const deliveries = opening.use(
    new SharedDeliveries({ redis, leases, processId, lockMs: webhookLockMs, keyMs: sendKeyMs }),
  );
  const wayToRedis = redis.stream.localAddress ?? '127.0.0.1';
  const host = options.host ?? wayToRedis;
  const server = opening.use(await OwnerServer.open({ host, port: options.port ?? 0, leases, log }));
  const reached = host === '0.0.0.0' || host === '::' ? wayToRedis : host;
  leases.openAt(`http://${reached.includes(':') ? `[${reached}]` : reached}:${server.port}`);
  await leases.renew().catch((cause: unknown) => {
    throw new ExplainedFailure(`REDIS_URL: ${describeFailure('Redis', redisUrl, cause)}`, { cause });
  });
  opening.defer(() => leases.leave().catch(() => undefined));
  const heartbeat = new Heartbeat({ leases, notices, questions, log });
  const beating = setInterval(() => void heartbeat.beat(), renewMs).unref();
  opening.defer(() => clearInterval(beating));
  notices.listen('shards', () => void heartbeat.renew());

  const parts = opening.move();
  return {
    limiter: new Limiter(options.buckets, redis),
    tellKeysChanged: (guildId) => notices.tell('keys', guildId),
    onKeysChanged: (listener) => notices.listen('keys', listener),
    takeIdentifyTurn: identifyTurns({ redis, log, windowMs: identifyWindowMs }),
    async holdShard(shardId, shardCount) {
      leases.hold(shardId, shardCount);
      await heartbeat.renew();
      notices.tell('shards');
    },
    async releaseShards() {
      leases.release();
      await heartbeat.renew();
      notices.tell('shards');
    },
    joinMembers(own) {
      server.answerFrom(own);
      return clusterMembers(own, leases, questions);
    },
    deliveries,
    answerLooks: (look) => server.answerLooks(look),
    state: () => ({
      redis: heartbeat.trouble.away === 0 && redis.status === 'ready' ? 'ok' : 'away',
      hears: heartbeat.trouble.deaf === 0,
      processes: leases.others.length + 1,
      unreachable: heartbeat.trouble.unreachable,
      shards: leases.shards,
      shardsHeldTwice: leases.heldTwice,
      ...questions.state,
    }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Failures name the setting to change. */
function named<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((cause: unknown) => {
    throw new ExplainedFailure(`REDIS_URL: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      isFinal: cause instanceof ExplainedFailure && cause.isFinal,
    });
  });
}
