import { SimpleIdentifyThrottler, type WebSocketOptions } from 'discord.js';

export type BuildIdentifyThrottler = NonNullable<WebSocketOptions['buildIdentifyThrottler']>;

/** Whose turn it is in a bucket, for all processes of the bot. Rejects with the signal's reason. */
export type TakeIdentifyTurn = (bucket: number, signal: AbortSignal) => Promise<void>;

/** Keeps the pace of this process, and then waits for its turn among all of them. */
export function buildSharedThrottler(takeTurn: TakeIdentifyTurn): BuildIdentifyThrottler {
  return async (manager) => {
    const information = await manager.fetchGatewayInformation();
    const { max_concurrency: buckets } = information.session_start_limit;
    const own = new SimpleIdentifyThrottler(buckets);
    return {
      async waitForIdentify(shardId, signal) {
        await own.waitForIdentify(shardId, signal);
        await takeTurn(shardId % buckets, signal);
      },
    };
  };
}

/**
 * The same throttler for every connection that is made: Discord counts the identifies of a bot, whatever became of
 * the connections. One that could not be built is built again.
 */
export function shareThrottler(build: BuildIdentifyThrottler): BuildIdentifyThrottler {
  let shared: Promise<Awaited<ReturnType<BuildIdentifyThrottler>>> | null = null;
  return async (manager) => {
    shared ??= Promise.resolve(build(manager));
    try {
      return await shared;
    } catch (error) {
      shared = null;
      throw error;
    }
  };
}
