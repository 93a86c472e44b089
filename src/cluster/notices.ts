import type { Redis } from 'ioredis';

import type { BackendOptions } from '../storage/backend.ts';
import { connectRedis } from '../storage/redis-connection.ts';

/** `keys`: those of a guild have changed. `shards`: those of a process have. */
export type Topic = 'keys' | 'shards';

export interface NoticesOptions extends BackendOptions {
  readonly url: string;
  /** For commands. */
  readonly redis: Redis;
  readonly processId: string;
}

/**
 * Short messages to all processes over Redis. Redis does not keep them, and a process that is away misses them. So
 * they may only speed up what happens anyway.
 */
export class Notices implements Disposable {
  readonly #redis: Redis;
  /** A connection of its own: one that has subscribed can do nothing else. */
  readonly #subscriber: Redis;
  readonly #prefix: string;
  /** Only this process listens here, to check that messages arrive. */
  readonly #ownChannel: string;
  readonly #listeners = new Map<string, (message: string) => void>();

  /** @throws Error with a sentence for operators when this user of Redis may not use channels */
  static async open(options: NoticesOptions): Promise<Notices> {
    const { url } = options;
    const subscriber = await connectRedis(url, options);
    const notices = new Notices(options, subscriber);
    try {
      await notices.#subscribe();
      await notices.checkHeard();
      return notices;
    } catch (cause) {
      subscriber.disconnect();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(
        `Redis at ${new URL(url).host} does not let this process hear the others: ${reason}. Its user needs the commands subscribe and publish and the channels quartermaster:* (after the keyPrefix, where there is one).`,
        { cause },
      );
    }
  }

  private constructor({ redis, processId }: NoticesOptions, subscriber: Redis) {
    this.#redis = redis;
    this.#subscriber = subscriber;
    const { keyPrefix = '', db = 0 } = redis.options;
    // Channels know no database number and no key prefix, so the name holds both.
    this.#prefix = `${keyPrefix}quartermaster:${db}:`;
    this.#ownChannel = `${this.#prefix}process:${processId}`;
    subscriber.on('message', (channel: string, message: string) => this.#listeners.get(channel)?.(message));
    // When it fails, checkHeard says so, and it is tried again.
    subscriber.on('ready', () => void this.#subscribe().catch(() => undefined));
  }

  listen(topic: Topic, listener: (message: string) => void): void {
    this.#listeners.set(this.#prefix + topic, listener);
  }

  tell(topic: Topic, message = ''): void {
    this.#redis.publish(this.#prefix + topic, message).catch(() => undefined);
  }

  /**
   * Redis reports how many listeners got a message: none when a connection is dead or leads to another server than the
   * other one, or when the user has lost its right to channels.
   * @throws Error when what is sent does not arrive here
   */
  async checkHeard(): Promise<void> {
    // A dead connection is noticed only when something is sent on it.
    if (this.#subscriber.status === 'ready') await this.#subscriber.ping();
    const heard = await this.#redis.publish(this.#ownChannel, '');
    if (heard === 0) throw new Error('a message to this process itself did not arrive');
  }

  /** Listens again, on a new connection. */
  reconnect(): void {
    const { status, stream } = this.#subscriber;
    // One that is closing already is still "ready".
    if (status === 'ready' && stream.writable) this.#subscriber.disconnect(true);
  }

  [Symbol.dispose](): void {
    this.#subscriber.disconnect();
  }

  async #subscribe(): Promise<void> {
    await this.#subscriber.subscribe(`${this.#prefix}keys`, `${this.#prefix}shards`, this.#ownChannel);
  }
}
