import type {
  GatewayInteractionCreateDispatch,
  GatewayReadyDispatch,
  GatewaySendPayload,
  IShardingStrategy,
  WebSocketOptions,
} from 'discord.js';

import { fillIn } from './fill-in.ts';

type Manager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0];

/** The part of KeptConnection that the client uses. */
interface ClientConnection {
  /** @throws GatewayEnd when the settings are wrong */
  open(): Promise<void>;
  broadcast(payload: GatewaySendPayload): void;
  close(): Promise<void>;
}

/** For discord.js the whole connection is one shard: it is ready with the first READY of any of ours, and stays so. */
const SHARD_ID = 0;

/** The place that discord.js has for a connection of one's own. */
export class KeptStrategy implements IShardingStrategy {
  readonly #manager: Manager;
  readonly #connection: ClientConnection;
  #isOpen = false;
  #isReady = false;

  constructor(manager: Manager, connection: ClientConnection) {
    this.#manager = manager;
    this.#connection = connection;
    // The connection asks for its gateway itself, as often as it takes. `login()` would give up after one try.
    manager.fetchGatewayInformation = async () => ({
      url: '',
      shards: 1,
      session_start_limit: { total: 1, remaining: 1, reset_after: 0, max_concurrency: 1 },
    });
  }

  spawn(): void {}

  async connect(): Promise<void> {
    this.#isOpen = true;
    await this.#connection.open();
  }

  /** Also called before `connect`, when there is nothing to end yet. */
  async destroy(): Promise<void> {
    if (this.#isOpen) await this.#connection.close();
  }

  /** discord.js sends what is meant for all shards, as a presence. */
  send(_shardId: number, payload: GatewaySendPayload): void {
    this.#connection.broadcast(payload);
  }

  fetchStatus(): never {
    throw new Error('What is known of the shards, ShardTruth knows.');
  }

  /** The client becomes ready with the first one. Without its guilds, as each would be an object of 4 KiB. */
  ready(packet: GatewayReadyDispatch): void {
    if (this.#isReady) return;
    this.#isReady = true;
    const data = { ...packet, d: { ...packet.d, guilds: [] } };
    this.#manager.emit('ready', { data: data.d, shardId: SHARD_ID });
    this.#manager.emit('dispatch', { data, shardId: SHARD_ID });
  }

  interaction(packet: GatewayInteractionCreateDispatch): void {
    const data = { ...packet, d: fillIn(packet.d) };
    this.#manager.emit('dispatch', { data, shardId: SHARD_ID });
  }
}
