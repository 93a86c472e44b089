import { setTimeout as delay } from 'node:timers/promises';

import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewaySendPayload,
} from 'discord-api-types/v10';

import type { Log } from '../../telemetry/log.ts';
import { GatewayConnection, GatewayEnd, type GatewayConnectionOptions } from './gateway-connection.ts';

export interface KeptConnectionOptions extends Omit<GatewayConnectionOptions, 'membersIntent'> {
  readonly log: Log;
  /** The Server Members intent turned out to be off. Called before connecting again without it. */
  readonly onMembersIntentOff: () => void;
  /** Longest wait of `open` for the first shard. Default 10 s. */
  readonly startMs: number | undefined;
  /** Waits between attempts when Discord is away: the first, doubled up to the longest. Default 5 s and 5 min. */
  readonly retryMs: number | undefined;
  readonly retryMaxMs: number | undefined;
}

/** Close codes that waiting does not help against: the settings are wrong. */
const FATAL = new Set<number | null>([
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
]);

/** One connection to Discord after another, until the end or a wrong setting. */
export class KeptConnection {
  readonly #options: KeptConnectionOptions;
  readonly #stop = new AbortController();
  readonly #started = Promise.withResolvers<void>();
  #connection: GatewayConnection | null = null;
  #membersIntent = true;
  #reason: string | null = 'Discord has not been reached yet.';
  #waitMs: number;
  #running: Promise<void> = Promise.resolve();

  constructor(options: KeptConnectionOptions) {
    this.#options = options;
    this.#waitMs = options.retryMs ?? 5_000;
  }

  /**
   * Resolves when the first shard is in, when Discord cannot be reached (connecting then goes on), or after `startMs`.
   * @throws GatewayEnd when the settings are wrong
   */
  async open(): Promise<void> {
    this.#running = this.#keepConnected();
    const { startMs = 10_000, log } = this.#options;
    const late = delay(startMs, 'late' as const, { signal: this.#stop.signal, ref: false });
    if ((await Promise.race([this.#started.promise, late])) === 'late') {
      log.warn('Discord has not let the bot in yet; connecting goes on');
    }
    // From here on nobody waits for the first connection, so a wrong setting can only be logged.
    this.#started.resolve();
  }

  state() {
    const shards = this.#connection?.shards ?? null;
    const shardsReady = this.#connection?.readyShards ?? 0;
    const connected = shards !== null && shardsReady === shards;
    return {
      connected,
      shardsReady,
      shards,
      membersIntent: this.#membersIntent,
      reason: connected ? null : (this.#reason ?? 'Not all shards are connected.'),
    };
  }

  /** @throws Error when the shard is not connected */
  async send(shardId: number, payload: GatewaySendPayload): Promise<void> {
    if (this.#connection === null) throw new Error('The gateway is not connected.');
    await this.#connection.send(shardId, payload);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#connection?.close(), this.#running]);
  }

  async #keepConnected(): Promise<void> {
    const { log, onMembersIntentOff, retryMaxMs = 300_000 } = this.#options;
    while (!this.#stop.signal.aborted) {
      const connection = new GatewayConnection({
        ...this.#options,
        membersIntent: this.#membersIntent,
        onDispatch: (shardId, packet) => this.#dispatch(shardId, packet),
      });
      this.#connection = connection;
      const end = await this.#endOf(connection);
      if (end === null) return;
      await connection.close();
      this.#reason = end.message;
      if (end.closeCode === GatewayCloseCodes.DisallowedIntents && this.#membersIntent) {
        this.#membersIntent = false;
        log.warn(
          `${end.message} Going on without member lists; switch it on in the developer portal under Bot, then restart.`,
        );
        onMembersIntentOff();
      } else if (FATAL.has(end.closeCode)) {
        log.error({ err: end }, 'the gateway is closed for good');
        this.#started.reject(end);
        this.#started.promise.catch(() => undefined);
        return;
      } else {
        log.warn({ err: end, retryMs: this.#waitMs }, `${end.message} It is tried again.`);
        this.#started.resolve();
        await delay(this.#waitMs, undefined, { signal: this.#stop.signal, ref: false }).catch(
          () => undefined,
        );
        this.#waitMs = Math.min(this.#waitMs * 2, retryMaxMs);
      }
    }
  }

  /** Why the connection ended; null when it is this process that ends. */
  async #endOf(connection: GatewayConnection): Promise<GatewayEnd | null> {
    const stopped = new Promise<null>((resolve) => {
      this.#stop.signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    try {
      return await Promise.race([connection.ended, stopped]);
    } catch (error) {
      if (this.#stop.signal.aborted) return null;
      return error instanceof GatewayEnd ? error : new GatewayEnd('The connection failed.', null, error);
    }
  }

  #dispatch(shardId: number, packet: GatewayDispatchPayload): void {
    if (packet.t === GatewayDispatchEvents.Ready) {
      this.#reason = null;
      this.#waitMs = this.#options.retryMs ?? 5_000;
    }
    this.#options.onDispatch(shardId, packet);
    if (packet.t === GatewayDispatchEvents.Ready) this.#started.resolve();
  }
}
