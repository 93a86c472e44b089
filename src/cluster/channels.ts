import type { Redis } from 'ioredis';

import { reasonOf } from '../kernel/explained-failure.ts';
import type { BackendOptions } from '../storage/backend.ts';
import { connectRedis } from '../storage/redis-connection.ts';

/** `keys`: the keys of a guild have changed. `shards`: the shards of a process have. */
export type Topic = 'keys' | 'shards';

export interface ChannelsOptions extends BackendOptions {
  readonly url: string;
  /** The connection for commands. */
  readonly redis: Redis;
  readonly processId: string;
}

/**
 * Messages between processes over Redis. Redis does not keep them, so a disconnected process misses them. A message
 * arrives whole or not at all.
 */
export class Channels implements Disposable {
  readonly #redis: Redis;
  /** Long messages to other processes take this connection, so that commands do not wait for them. */
  readonly #sender: Redis;
  /** A connection that has subscribed can do nothing else. */
  readonly #listener: Redis;
  readonly #prefix: string;
  readonly #processId: string;
  readonly #listeners = new Map<string, (message: Buffer) => void>();
  #isSubscribed = false;

  /**
   * @param options with a command deadline, which long messages get too
   * @throws Error with a sentence for operators when this user of Redis may not use channels
   */
  static async open(options: ChannelsOptions): Promise<Channels> {
    const { url } = options;
    await using resources = new AsyncDisposableStack();
    const connect = async () =>
      resources.adopt(await connectRedis(url, options), (redis) => redis.disconnect());
    const channels = new Channels(options, await connect(), await connect());
    try {
      await channels.#subscribe();
      await channels.checkHeard();
    } catch (cause) {
      const reason = reasonOf(cause);
      throw new Error(
        `Redis at ${new URL(url).host} does not let this process hear the others: ${reason}. Its user needs the commands subscribe and publish and the channels quartermaster:* (after the keyPrefix, where there is one).`,
        { cause },
      );
    }
    // From now on, closing the channels closes these connections.
    resources.move();
    return channels;
  }

  private constructor({ redis, processId }: ChannelsOptions, sender: Redis, listener: Redis) {
    this.#redis = redis;
    this.#sender = sender;
    this.#listener = listener;
    const { keyPrefix = '', db = 0 } = redis.options;
    // Channels know no database number and no key prefix, so the name holds both.
    this.#prefix = `${keyPrefix}quartermaster:${db}:`;
    this.#processId = processId;
    listener.on('close', () => (this.#isSubscribed = false));
    listener.on('messageBuffer', (channel: Buffer, message: Buffer) =>
      this.#listeners.get(channel.toString())?.(message),
    );
  }

  /** True while messages can arrive, as far as is known. */
  get isOpen(): boolean {
    return this.#isSubscribed;
  }

  /** Bytes of messages that Redis has not taken yet. */
  get unsentBytes(): number {
    return this.#sender.stream.writableLength;
  }

  listen(topic: Topic, listener: (message: string) => void): void {
    this.#listeners.set(this.#prefix + topic, (message) => listener(message.toString()));
  }

  /** Called for messages to this process only. An empty message only checks that this process listens. */
  receive(listener: (message: Buffer) => void): void {
    this.#listeners.set(this.#channelOf(this.#processId), listener);
  }

  publish(topic: Topic, message = ''): void {
    this.#redis.publish(this.#prefix + topic, message).catch(() => undefined);
  }

  /**
   * @returns false if the process does not listen, because it or its connection is gone
   * @throws Error when Redis does not take it
   */
  async send(processId: string, message: string | Buffer): Promise<boolean> {
    return (await this.#sender.publish(this.#channelOf(processId), message)) > 0;
  }

  /** Called when messages no longer arrive. Those on their way are lost. */
  onCut(listener: () => void): void {
    this.#listener.on('close', listener);
  }

  /** Called each time Redis takes commands again, or messages arrive again. */
  onReady(listener: () => void): void {
    this.#redis.on('ready', listener);
    // If it fails, `checkHeard` reports it and tries again.
    this.#listener.on('ready', () => void this.#subscribe().then(listener, () => undefined));
  }

  /**
   * Redis reports how many listeners got a message: none when one of the connections is dead or leads to a different
   * server than the others, or when the user has lost its right to channels.
   * @throws Error when a message sent from here does not arrive here
   */
  async checkHeard(): Promise<void> {
    // A dead connection is noticed only when something is sent on it.
    if (this.#listener.status === 'ready') await this.#listener.ping();
    for (const redis of [this.#redis, this.#sender]) {
      const heard = await redis.publish(this.#channelOf(this.#processId), '');
      if (heard === 0) throw new Error('a message to this process itself did not arrive');
    }
  }

  /** Replaces the connections for sending and listening. */
  reconnect(): void {
    for (const redis of [this.#sender, this.#listener]) {
      // A connection that is closing still has the status "ready".
      if (redis.status === 'ready' && redis.stream.writable) redis.disconnect(true);
    }
  }

  [Symbol.dispose](): void {
    this.#sender.disconnect();
    this.#listener.disconnect();
  }

  #channelOf(processId: string): string {
    return `${this.#prefix}process:${processId}`;
  }

  async #subscribe(): Promise<void> {
    const own = this.#channelOf(this.#processId);
    await this.#listener.subscribe(`${this.#prefix}keys`, `${this.#prefix}shards`, own);
    this.#isSubscribed = true;
  }
}
