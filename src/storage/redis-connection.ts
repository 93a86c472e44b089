import { Redis } from 'ioredis';

import { ExplainedFailure } from '../kernel/explained-failure.ts';
import { describeFailure, type BackendOptions } from './backend.ts';

/**
 * Redis answers this while it cannot take writes: it has become a replica, is still loading its data, or has lost its
 * master. After a failover the same URL leads to a different server, so only a new connection helps.
 */
const IS_ELSEWHERE = /\b(READONLY|LOADING|MASTERDOWN)\b/;

/** The answers to SELECT without such a database, in a cluster, and without the right to choose one. */
const IS_WITHOUT_DATABASE = /\b(DB index|SELECT)\b|'select'/;

/**
 * A connection that fails quickly and comes back by itself. Without Redis every command rejects, after
 * `commandTimeoutMs` at the latest; no command is queued for later or sent twice.
 *
 * @throws Error with a sentence for operators when there is no Redis at this URL now; an ExplainedFailure when it
 *   does not have the database of the URL
 */
export async function connectRedis(
  url: string,
  { commandTimeoutMs, connectTimeoutMs }: BackendOptions,
): Promise<Redis> {
  let isLeaving = false;
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    // A command whose reply was lost may have run. Repeating a compare-and-set would then report failure.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
    // A peer that vanished without closing is noticed by its silence, and the connection is replaced.
    socketTimeout: 2 * commandTimeoutMs,
    reconnectOnError({ message }) {
      // Many commands may fail before the connection has closed.
      if (isLeaving || !IS_ELSEWHERE.test(message)) return false;
      isLeaving = true;
      return true;
    },
    // Without this listener, a Redis user that loses its right to channels would end the process.
    autoResubscribe: false,
    retryStrategy: (times) => Math.min(times * 50, 1_000),
  });
  redis.on('close', () => (isLeaving = false));
  let lastError: unknown;
  let refusedDatabase: unknown;
  // Every command rejects by itself; without a listener ioredis would also write to the console.
  redis.on('error', (error) => {
    lastError = error;
    // ioredis would go on with database 0, which may be another bot's.
    if (!IS_WITHOUT_DATABASE.test(error.message)) return;
    refusedDatabase = error;
    redis.disconnect(true);
  });
  try {
    await redis.connect();
    return redis;
  } catch (error) {
    redis.disconnect();
    if (refusedDatabase instanceof Error) {
      const reason = `database ${redis.options.db} cannot be selected (${refusedDatabase.message})`;
      throw new ExplainedFailure(describeFailure('Redis', url, reason), {
        cause: refusedDatabase,
        isFinal: true,
      });
    }
    const failure = lastError ?? error;
    throw new Error(describeFailure('Redis', url, failure) + otherScheme(url, failure), { cause: error });
  }
}

/** Symptoms of TLS on one side only: both sides wait, or one hangs up. */
const IS_MISUNDERSTOOD = /\b(Connection is closed|EPIPE|ECONNRESET|ETIMEDOUT|EPROTO|SSL routines)\b/;

function otherScheme(url: string, failure: unknown): string {
  if (!(failure instanceof Error && IS_MISUNDERSTOOD.test(failure.message))) return '';
  return url.startsWith('rediss:')
    ? '. If this port does not use TLS, begin the URL with redis://.'
    : '. If this port expects TLS, begin the URL with rediss://.';
}
