import { setTimeout as delay } from 'node:timers/promises';

import {
  Client,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  SimpleShardingStrategy,
  type GatewayDispatchPayload,
  type GatewaySendPayload,
  type WebSocketOptions,
} from 'discord.js';

import type { BuildIdentifyThrottler } from './identify-throttler.ts';
import { makeRequest } from './make-request.ts';

export interface GatewayConnectionOptions {
  readonly token: string;
  /** Address of Discord without the version. */
  readonly apiUrl: string;
  /** Ids, or `auto` for all that Discord recommends. */
  readonly shards: readonly number[] | 'auto';
  readonly shardCount: number | 'auto';
  /** Whether the Server Members intent is asked for. */
  readonly membersIntent: boolean;
  /** Who may identify when. */
  readonly buildIdentifyThrottler: BuildIdentifyThrottler;
  /** Every dispatch, in order, before anything else sees it. It must not throw. */
  readonly onDispatch: (shardId: number, packet: GatewayDispatchPayload) => void;
  /** A shard's connection is lost; it comes back by itself with RESUMED or READY. */
  readonly onShardDown: (shardId: number) => void;
  readonly onDebug: (message: string) => void;
}

/** Why a connection has ended for good. */
export class GatewayEnd extends Error {
  /** The close code, or null when the gateway was not reached. */
  readonly closeCode: number | null;

  constructor(message: string, closeCode: number | null, cause?: unknown) {
    super(message, { cause });
    this.name = 'GatewayEnd';
    this.closeCode = closeCode;
  }
}

const END_MESSAGES: Readonly<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]:
    'Discord does not accept DISCORD_TOKEN. Copy the token of your bot anew.',
  [GatewayCloseCodes.InvalidShard]:
    'Discord does not accept the shards: check GATEWAY_SHARDS and GATEWAY_SHARD_COUNT.',
  [GatewayCloseCodes.ShardingRequired]:
    'The bot is in too many servers for this GATEWAY_SHARD_COUNT; set it higher or to auto.',
  [GatewayCloseCodes.InvalidAPIVersion]:
    'Discord no longer offers the version of its gateway that this program speaks.',
  [GatewayCloseCodes.InvalidIntents]: 'Discord does not know the intents that this program asks for.',
  [GatewayCloseCodes.DisallowedIntents]: 'The Server Members intent is not switched on for this bot.',
};

/** Longest wait for the sockets to close. */
const CLOSE_MS = 5_000;

/**
 * One discord.js client from login to its end. It holds the connection (heartbeats, resuming, identify budget) and
 * nothing else: what dispatches say is taken from the raw event, and the packets are emptied before the client's own
 * handlers see them, so that no guild, channel, role, member or message is kept twice.
 */
export class GatewayConnection {
  /** Rejects with a GatewayEnd when the connection will not come back by itself; never resolves. */
  readonly ended: Promise<never>;
  readonly #client: Client;
  readonly #options: GatewayConnectionOptions;
  readonly #ready = new Set<number>();
  #sockets: Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0] | null = null;
  #closeCode: number | null = null;
  #closed = false;

  constructor(options: GatewayConnectionOptions) {
    this.#options = options;
    this.#client = this.#createClient();
    const { promise, reject } = Promise.withResolvers<never>();
    this.ended = promise;
    this.ended.catch(() => undefined);
    this.#listen(reject);
    this.#client.login(options.token).catch((error: unknown) => reject(this.#end(error)));
  }

  /** Shards that Discord has let in; the others are connecting. */
  get readyShards(): number {
    return this.#ready.size;
  }

  /** Shards of this process; null until they are known. */
  get shards(): number | null {
    const { shards } = this.#client.options;
    return Array.isArray(shards) ? shards.length : null;
  }

  /** @throws Error when the shard is not connected; it is not kept for later */
  async send(shardId: number, payload: GatewaySendPayload): Promise<void> {
    if (this.#sockets === null || !this.#ready.has(shardId))
      throw new Error(`Shard ${shardId} is not connected.`);
    await this.#sockets.send(shardId, payload);
  }

  /** Ends the sessions. Resolves after 5 s at the latest. */
  async close(): Promise<void> {
    this.#closed = true;
    const destroyed = this.#client.destroy().catch((error: unknown) => this.#options.onDebug(String(error)));
    await Promise.race([destroyed, delay(CLOSE_MS, undefined, { ref: false })]);
  }

  #createClient(): Client {
    const { apiUrl, shards, shardCount, membersIntent, buildIdentifyThrottler } = this.#options;
    const none = { maxSize: 0 };
    return new Client({
      intents: membersIntent
        ? [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers]
        : [GatewayIntentBits.Guilds],
      shards: toShardIds(shards, shardCount),
      ...(shardCount === 'auto' ? {} : { shardCount }),
      makeCache: Options.cacheWithLimits({
        MessageManager: none,
        GuildMemberManager: none,
        UserManager: none,
        PresenceManager: none,
        ReactionManager: none,
        ThreadManager: none,
        ThreadMemberManager: none,
        VoiceStateManager: none,
      }),
      rest: { api: apiUrl, retries: 1, timeout: 15_000, makeRequest },
      ws: {
        buildStrategy: (manager) => {
          this.#sockets = manager;
          return new SimpleShardingStrategy(manager);
        },
        buildIdentifyThrottler,
      },
    });
  }

  #listen(reject: (reason: GatewayEnd) => void): void {
    const client = this.#client;
    client.on(Events.Raw, (packet: GatewayDispatchPayload, shardId: number) => {
      if (this.#closed) return;
      if (packet.t === GatewayDispatchEvents.Ready || packet.t === GatewayDispatchEvents.Resumed) {
        this.#ready.add(shardId);
      }
      this.#options.onDispatch(shardId, { ...packet });
      emptyPacket(packet);
      client.guilds.cache.clear();
    });
    client.on(Events.ShardReconnecting, (shardId) => this.#down(shardId));
    client.on(Events.ShardDisconnect, ({ code }, shardId) => {
      this.#closeCode = code;
      this.#down(shardId);
      reject(this.#end(undefined));
    });
    client.on(Events.ShardError, (error, shardId) => {
      this.#options.onDebug(`shard ${shardId}: ${error.message}`);
    });
    client.on(Events.Error, (error) => this.#options.onDebug(error.message));
  }

  #down(shardId: number): void {
    this.#ready.delete(shardId);
    if (!this.#closed) this.#options.onShardDown(shardId);
  }

  #end(cause: unknown): GatewayEnd {
    if (cause instanceof DiscordjsError && cause.code === DiscordjsErrorCodes.TokenInvalid) {
      this.#closeCode ??= GatewayCloseCodes.AuthenticationFailed;
    }
    const code = this.#closeCode;
    return code === null
      ? new GatewayEnd(describeFailure(cause), null, cause)
      : new GatewayEnd(
          END_MESSAGES[code] ?? `Discord closed the connection for good (${code}).`,
          code,
          cause,
        );
  }
}

function describeFailure(cause: unknown): string {
  // The words of @discordjs/ws, which has no code for it.
  return cause instanceof Error && cause.message.startsWith('Not enough sessions remaining')
    ? 'Discord allows this bot no further logins for now.'
    : 'Discord cannot be reached.';
}

/** Leaves of a packet only what the client needs to count its guilds until it is ready. */
function emptyPacket(packet: { t: string | null; d: unknown }): void {
  const data = packet.d;
  if (packet.t === GatewayDispatchEvents.Resumed) return;
  if (packet.t === GatewayDispatchEvents.Ready) {
    packet.d = { ...(data as object), guilds: [] };
  } else if (
    packet.t === GatewayDispatchEvents.GuildCreate ||
    packet.t === GatewayDispatchEvents.GuildDelete
  ) {
    packet.d = { id: (data as { id: string }).id, unavailable: true };
  } else {
    packet.t = null;
    packet.d = null;
  }
}

/** discord.js does not look at `shardCount` beside `auto`. */
function toShardIds(shards: readonly number[] | 'auto', shardCount: number | 'auto'): number[] | 'auto' {
  if (shards !== 'auto') return [...shards];
  return shardCount === 'auto' ? 'auto' : Array.from({ length: shardCount }, (_, shardId) => shardId);
}
