import type { Redis } from 'ioredis';

import { connectRedis, type RedisConnectionOptions } from '../storage/redis-connection.ts';

export type Receive = (bytes: Buffer) => void;

/**
 * Messages between processes. Redis keeps none: who is away misses them. Messages of one process to one channel
 * arrive in the order in which they were sent.
 */
export class RedisBus implements AsyncDisposable {
  /** For commands. It fails quickly when Redis is away. */
  readonly redis: Redis;
  /** A connection that has subscribed can do nothing else. */
  readonly #subscriber: Redis;
  readonly #prefix: string;
  readonly #receivers = new Map<string, Receive>();

  /** @throws Error with a sentence for operators when there is no Redis at this address now */
  static async connect(url: string, options: RedisConnectionOptions): Promise<RedisBus> {
    const redis = await connectRedis(url, options);
    try {
      return new RedisBus(redis, await connectRedis(url, options));
    } catch (error) {
      redis.disconnect();
      throw error;
    }
  }

  private constructor(redis: Redis, subscriber: Redis) {
    this.redis = redis;
    this.#subscriber = subscriber;
    const { keyPrefix = '', db = 0 } = redis.options;
    // Channels know no database number and no key prefix, so the name holds both. The 1 is the version of the
    // messages: processes that speak another one are not heard.
    this.#prefix = `${keyPrefix}quartermaster:${db}:1:`;
    subscriber.on('messageBuffer', (channel: Buffer, bytes: Buffer) => {
      this.#receivers.get(channel.toString())?.(bytes);
    });
    subscriber.on('ready', () => {
      const channels = [...this.#receivers.keys()];
      // When it fails the connection is lost again, and this is called again.
      if (channels.length > 0) subscriber.subscribe(...channels).catch(() => undefined);
    });
  }

  get isConnected(): boolean {
    return this.redis.status === 'ready' && this.#subscriber.status === 'ready';
  }

  /** @throws Error when Redis is away. Resolves with how many processes got it. */
  publish(channel: string, bytes: Buffer): Promise<number> {
    return this.redis.publish(this.#prefix + channel, bytes);
  }

  /** From now on, or from when Redis is back. Resolves when it is so, or when Redis is away. */
  async subscribe(channel: string, receive: Receive): Promise<void> {
    const name = this.#prefix + channel;
    this.#receivers.set(name, receive);
    await this.#subscriber.subscribe(name).catch(() => undefined);
  }

  async unsubscribe(channel: string): Promise<void> {
    const name = this.#prefix + channel;
    if (this.#receivers.delete(name)) await this.#subscriber.unsubscribe(name).catch(() => undefined);
  }

  /** Finds out whether the subscribing connection is still one: nothing else is sent on it. */
  async checkSubscriber(): Promise<void> {
    await this.#subscriber.ping();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#receivers.clear();
    this.#subscriber.disconnect();
    this.redis.disconnect();
  }
}
