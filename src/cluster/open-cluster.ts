import { randomUUID } from 'node:crypto';

import type { Log } from '../telemetry/log.ts';
import type { Buckets } from '../rate-limit/limiter.ts';
import { createRedisLimiter } from '../rate-limit/redis-limiter.ts';
import { inboxChannel, KEYS_CHANNEL, shardChannel } from './channels.ts';
import type { Cluster } from './cluster.ts';
import { ClusterMembers, type QuestionOutcome } from './cluster-members.ts';
import { decodeFrame } from './frame.ts';
import { IdentifyTurns } from './identify-turns.ts';
import { inboxSchema, questionSchema } from './messages.ts';
import { OwnerAnswers } from './owner-answers.ts';
import { OwnerQuestions } from './owner-questions.ts';
import { RedisBus } from './redis-bus.ts';
import { ShardLeases } from './shard-leases.ts';
import { TRANSFER_LIMITS, type TransferLimits } from './transfer-limits.ts';

export interface ClusterOptions {
  readonly buckets: Buckets;
  readonly log: Log;
  /** Told how each question to another process ended. */
  readonly onQuestion: (outcome: QuestionOutcome) => void;
  /** How long Redis may take for a command. Default 1,000 ms. */
  readonly commandTimeoutMs?: number;
  /** How long connecting may take. Default 2,000 ms. */
  readonly connectTimeoutMs?: number;
  /** From one sign of life of this process to the next. Default 5,000 ms. */
  readonly renewMs?: number;
  /** So long after its last sign of life a process counts as gone. Default 15,000 ms. */
  readonly leaseMs?: number;
  /** From one identify in a bucket to the next. Default 5,250 ms. */
  readonly identifyWindowMs?: number;
  readonly limits?: Partial<TransferLimits>;
}

/**
 * Joins the processes that use this database of this Redis: all those of one bot.
 *
 * @throws Error with a sentence for operators when there is no Redis at this address now
 */
export async function openCluster(redisUrl: string, options: ClusterOptions): Promise<Cluster> {
  const { log, onQuestion, commandTimeoutMs = 1_000, connectTimeoutMs = 2_000 } = options;
  const { renewMs = 5_000, leaseMs = 15_000, identifyWindowMs = 5_250 } = options;
  const processId = randomUUID();
  const limits = { ...TRANSFER_LIMITS, ...options.limits };
  await using opening = new AsyncDisposableStack();
  const bus = opening.use(await RedisBus.connect(redisUrl, { commandTimeoutMs, connectTimeoutMs }));
  const { redis } = bus;
  const leases = new ShardLeases({ redis, processId, log, renewMs, leaseMs });
  const turns = new IdentifyTurns({ redis, log, windowMs: identifyWindowMs });
  const questions = new OwnerQuestions({ bus, processId, limits });
  let answers: OwnerAnswers | null = null;
  let forgetKeys: ((guildId: string) => void) | null = null;

  function receiveQuestion(bytes: Buffer): void {
    const question = questionSchema.safeParse(decodeFrame(bytes)?.head);
    if (question.success) void answers?.answer(question.data);
  }
  function receive(bytes: Buffer): void {
    const frame = decodeFrame(bytes);
    const message = inboxSchema.safeParse(frame?.head);
    if (frame === null || !message.success) return;
    const { data } = message;
    if (data.kind === 'listing') questions.takeListing(data, frame.body);
    else if (data.kind === 'piece') questions.takePiece(data, frame.body);
    else if (data.kind === 'problem') questions.takeProblem(data);
    else if (data.kind === 'pull') void answers?.send(data);
    else answers?.drop(data);
  }
  await bus.subscribe(inboxChannel(processId), receive);
  await bus.subscribe(KEYS_CHANNEL, (bytes) => forgetKeys?.(bytes.toString()));

  let wasAway = false;
  /** A sign of life to the others, and one from Redis. */
  async function beat(): Promise<void> {
    try {
      await Promise.all([leases.renew(), bus.checkSubscriber()]);
      if (wasAway) log.info('Redis is back: the processes work together again');
      wasAway = false;
    } catch (err) {
      if (!wasAway) log.warn({ err }, 'Redis is away: this process works for itself until it is back');
      wasAway = true;
    }
  }
  const beating = setInterval(() => void beat(), renewMs).unref();
  opening.defer(() => clearInterval(beating));

  const held = new Set<string>();
  async function releaseShards(): Promise<void> {
    await Promise.all([...held].map((channel) => bus.unsubscribe(channel)));
    held.clear();
    await leases.release().catch(() => undefined);
  }
  opening.defer(() => {
    answers?.close();
    return releaseShards();
  });

  const parts = opening.move();
  return {
    limiter: createRedisLimiter(redis, options.buckets),
    tellKeysChanged(guildId) {
      bus.publish(KEYS_CHANNEL, Buffer.from(guildId)).catch(() => undefined);
    },
    onKeysChanged(listener) {
      forgetKeys = listener;
    },
    takeIdentifyTurn: (bucket, signal, allowance) => turns.take(bucket, signal, allowance),
    async holdShard(shardId, shardCount) {
      leases.hold(shardId, shardCount);
      const channel = shardChannel(shardId, shardCount);
      held.add(channel);
      await bus.subscribe(channel, receiveQuestion);
      await beat();
    },
    releaseShards,
    joinMembers(own) {
      answers = own === null ? null : new OwnerAnswers({ bus, processId, members: own, limits, log });
      return new ClusterMembers({ own, leases, questions, onQuestion });
    },
    state: () => ({
      redis: bus.isConnected ? 'ok' : 'away',
      shards: leases.size,
      shardsHeldTwice: leases.heldTwice,
      openQuestions: questions.open,
      foreignListBytes: questions.heldBytes,
      keptListBytes: questions.keptBytes,
    }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
