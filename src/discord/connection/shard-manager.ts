import { setTimeout as delay } from 'node:timers/promises';

import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type GatewayDispatchPayload,
  type GatewaySendPayload,
} from 'discord-api-types/v10';
import * as z from 'zod';

import type { ProcessPauseDetector } from '../../members/gateway/process-pause-detector.ts';
import type { ShardStates } from '../../members/gateway/shard-states.ts';
import { systemTimers, wait, type Timers } from '../../members/timers.ts';
import type { Log } from '../../telemetry/log.ts';
import { BlockedAddress, blockOf } from './blocked-address.ts';
import { GATEWAY_INFO, type GatewayInfo } from './gateway-answers.ts';
import { GatewayEnd, refusedEnd } from './gateway-end.ts';
import { IdentifyBudget, type WaitForIdentify } from './identify-budget.ts';
import type { BackoffOptions } from './backoff.ts';
import { Shard } from './shard.ts';
import { openSocketAs, type OpenSocket } from './shard-socket.ts';

export interface ConnectionPeriods extends Partial<Omit<BackoffOptions, 'timers'>> {
  /** Longest wait of `open` for the first shard. Default 10 s. */
  readonly startMs?: number | undefined;
  /**
   * The first pause while Discord's gateway URL cannot be read (default 5 s) and the longest (5 min). Each is twice the
   * one before.
   */
  readonly gatewayRetryMs?: number | undefined;
  readonly gatewayRetryMaxMs?: number | undefined;
  /** Time between two identifies in a bucket. Default 5,250 ms. */
  readonly identifyWindowMs?: number | undefined;
}

/** The bot, its shards and everything that the connection shares with the rest of the process. */
export interface ConnectionSettings extends ConnectionPeriods {
  readonly token: string;
  /** Some servers refuse a client without one. */
  readonly userAgent: string;
  /** Ids, or `auto` for all that Discord recommends. */
  readonly shards: readonly number[] | 'auto';
  readonly shardCount: number | 'auto';
  /** The state of the shards, to which they report every frame. */
  readonly shardStates: ShardStates;
  readonly processPauses: ProcessPauseDetector;
  /** Called before each identify, in addition to this process's own pace. Default: this process is the only one. */
  readonly waitForIdentify?: WaitForIdentify | undefined;
}

export interface ConnectionState {
  /** All shards of this process are connected. */
  readonly connected: boolean;
  /** The connection will not come back by itself. `reason` says what to do. */
  readonly ended: boolean;
  /** Connected shards, and all shards of this process once Discord has said how many there are. */
  readonly shardsReady: number;
  readonly shards: number | null;
  /** False when the Server Members intent is off in the developer portal, so that there are no member lists. */
  readonly hasMembersIntent: boolean;
  /** Identifies that Discord allows until its day ends; null before its first answer. */
  readonly identifiesLeft: number | null;
  /** Why the connection does not work, in one sentence, or null. */
  readonly reason: string | null;
}

export interface ShardManagerOptions extends ConnectionSettings {
  readonly log: Log;
  /** `GET /gateway/bot`. @throws what REST throws */
  readonly fetchGateway: (signal: AbortSignal) => Promise<unknown>;
  /** Called for every dispatch, in order, after `shardStates`. It must not throw. */
  readonly onDispatch: (shardId: number, packet: GatewayDispatchPayload) => void;
  /** Called when a shard's connection is lost. It comes back by itself with RESUMED or READY. */
  readonly onShardDown: (shardId: number) => void;
  /** Called when the Server Members intent is off, before we connect again without it. */
  readonly onMembersIntentOff: () => void;
  /** Called when Discord would refuse every further connection. */
  readonly onRefused: (end: GatewayEnd) => void;
  readonly timers?: Timers;
  readonly openSocket?: OpenSocket;
}

/** Longest wait for the gateway's URL, and for the sockets to close. */
const DEADLINE_MS = 5_000;
/** While shards fail to connect, the gateway's URL is fetched again when it is older than this. */
const GATEWAY_URL_MS = 30_000;

/** All shards of this process. It keeps them connected until the end or a wrong setting. */
export class ShardManager {
  readonly #options: ShardManagerOptions;
  readonly #timers: Timers;
  readonly #budget: IdentifyBudget;
  readonly #stop = new AbortController();
  readonly #started = Promise.withResolvers<void>();
  readonly #stopListening: () => void;
  readonly #shards = new Map<number, Shard>();
  #gatewayUrl = '';
  /** When the gateway's URL was last fetched. */
  #fetchedAt = -Infinity;
  #hasMembersIntent = true;
  /** With `auto`: Discord has refused smaller counts. */
  #shardCountMin = 1;
  /** Discord refuses our IP address. `endsAt` is monotonic, and -Infinity if unknown. */
  #block: { readonly error: BlockedAddress; readonly endsAt: number } | null = null;
  #failure: string | null = 'Discord has not been reached yet.';
  #running: Promise<void> = Promise.resolve();

  constructor(options: ShardManagerOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#budget = new IdentifyBudget({
      fetchLimit: async (signal) => (await this.#fetchGateway(signal)).session_start_limit,
      timers: this.#timers,
      waitForIdentify: options.waitForIdentify,
      windowMs: options.identifyWindowMs,
      askAgainMs: options.gatewayRetryMaxMs,
      onSpent: (left, resetInMs) => {
        options.log.warn({ left, resetInMs }, 'Discord allows this bot no further logins for now');
        this.#started.resolve();
      },
    });
    this.#stopListening = options.processPauses.onPause(() => {
      for (const shard of this.#shards.values()) shard.sendProbeHeartbeat();
    });
    this.#started.promise.catch(() => undefined);
  }

  /**
   * Resolves when the first shard is ready, when Discord cannot be reached (connecting then continues), or after
   * `startMs`.
   * @throws GatewayEnd when the settings are wrong
   */
  async open(): Promise<void> {
    this.#running = this.#keepConnected();
    const { startMs = 10_000, log } = this.#options;
    const late = delay(startMs, 'late' as const, { signal: this.#stop.signal, ref: false });
    if ((await Promise.race([this.#started.promise, late])) === 'late') {
      log.warn('Discord has not accepted the bot yet; still connecting');
    }
    // `open` has returned by now, so wrong settings can only be logged.
    this.#started.resolve();
  }

  state(): ConnectionState {
    const { shardStates } = this.#options;
    const { shards, shardsReady, endReason } = shardStates;
    const connected = shards !== null && shards > 0 && shardsReady === shards;
    return {
      connected,
      ended: endReason !== null,
      shardsReady,
      shards,
      hasMembersIntent: this.#hasMembersIntent,
      identifiesLeft: this.#budget.left,
      reason: connected ? null : (endReason ?? this.#reason()),
    };
  }

  /** @throws Error when the shard is not connected */
  send(shardId: number, payload: GatewaySendPayload): void {
    const shard = this.#shards.get(shardId);
    if (shard === undefined) throw new Error(`Shard ${shardId} is not connected.`);
    shard.send(payload);
  }

  /** Ends the sessions. Takes 5 s at most. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#stopListening();
    const closed = Promise.all([this.#closeShards(), this.#running]);
    await Promise.race([closed, delay(DEADLINE_MS, undefined, { ref: false })]);
  }

  #reason(): string {
    if (this.#block !== null) return this.#block.error.message;
    if (this.#budget.isSpent) {
      return `Discord allows this bot no further logins for now: ${this.#budget.left} of today are left, and the last 5% are kept for a restart by hand.`;
    }
    const [closeCode] = this.#repeatedCloseCodes();
    if (closeCode !== undefined) return closedAgain(closeCode);
    return this.#failure ?? 'Not all shards are connected.';
  }

  async #keepConnected(): Promise<void> {
    const { log } = this.#options;
    while (!this.#stop.signal.aborted) {
      const end = await this.#connectOnce();
      await this.#closeShards();
      if (end === null || this.#stop.signal.aborted) return;
      if (this.#options.shardStates.endReason === null) continue;
      log.error({ err: end }, 'the gateway is closed for good');
      this.#started.reject(end);
      this.#options.onRefused(end);
      return;
    }
  }

  /**
   * Decides what to do after a connection has ended: connect again with other settings, or refuse member lists from now
   * on. It is synchronous, so that no request sees a state in between.
   */
  #handleEnd(end: GatewayEnd, shardCount: number): void {
    const { log, shardStates, shards, onMembersIntentOff } = this.#options;
    const isAuto = shards === 'auto' && this.#options.shardCount === 'auto';
    if (end.closeCode === GatewayCloseCodes.DisallowedIntents && this.#hasMembersIntent) {
      this.#hasMembersIntent = false;
      log.warn(
        `${end.message} Going on without member lists; switch it on in the developer portal under Bot, then restart.`,
      );
      onMembersIntentOff();
    } else if (end.closeCode === GatewayCloseCodes.ShardingRequired && isAuto) {
      this.#shardCountMin = shardCount + 1;
      log.warn({ shards: shardCount }, 'Discord requires more shards; connecting again with more');
    } else {
      shardStates.end(end.message);
    }
  }

  /** Resolves with the end when Discord would refuse a shard again, or with null when this process stops. */
  async #connectOnce(): Promise<GatewayEnd | null> {
    const gateway = await this.#findGateway();
    if (gateway === null) return null;
    if (gateway instanceof GatewayEnd) {
      this.#handleEnd(gateway, 0);
      return gateway;
    }
    this.#budget.update(gateway.session_start_limit);
    const { shards, shardCount, shardStates } = this.#options;
    const count = shardCount === 'auto' ? this.#autoCount(gateway, shards) : shardCount;
    const shardIds = shards === 'auto' ? Array.from({ length: count }, (_, shardId) => shardId) : shards;
    shardStates.begin(shardIds, count);
    const { promise: ended, resolve } = Promise.withResolvers<GatewayEnd | null>();
    const stop = () => resolve(null);
    this.#stop.signal.addEventListener('abort', stop, { once: true });
    let isOver = false;
    const onRefused = (end: GatewayEnd) => {
      // Other shards may be closing for the same reason.
      if (isOver) return;
      isOver = true;
      this.#handleEnd(end, count);
      resolve(end);
    };
    for (const shardId of shardIds) {
      const shard = this.#createShard(shardId, count, onRefused);
      this.#shards.set(shardId, shard);
      shard.connect();
    }
    return ended.finally(() => this.#stop.signal.removeEventListener('abort', stop));
  }

  #createShard(shardId: number, shardCount: number, onRefused: (end: GatewayEnd) => void): Shard {
    const { log, userAgent, onShardDown, openSocket = openSocketAs(userAgent) } = this.#options;
    return new Shard({
      ...this.#options,
      shardId,
      shardCount,
      intents: GatewayIntentBits.Guilds | (this.#hasMembersIntent ? GatewayIntentBits.GuildMembers : 0),
      gatewayUrl: () => this.#gatewayUrl,
      budget: this.#budget,
      timers: this.#timers,
      openSocket,
      onDispatch: (id, packet) => this.#dispatch(id, packet),
      onDown: onShardDown,
      onRefused,
      onFailure: () => this.#refreshGatewayUrl(),
      onRepeatedClose: (shard, closeCode) => {
        if (this.#repeatedCloseCodes().includes(closeCode)) return;
        log.warn({ shard, closeCode }, closedAgain(closeCode));
      },
      onDebug: (message) => log.debug(message),
    });
  }

  /** Asks until Discord names its gateway's URL. Returns null when this process stops. */
  async #findGateway(): Promise<GatewayInfo | GatewayEnd | null> {
    const { log, gatewayRetryMs = 5_000, gatewayRetryMaxMs = 300_000 } = this.#options;
    for (
      let waitMs = gatewayRetryMs;
      !this.#stop.signal.aborted;
      waitMs = Math.min(waitMs * 2, gatewayRetryMaxMs)
    ) {
      try {
        const gateway = await this.#fetchGateway(this.#stop.signal);
        this.#failure = null;
        return gateway;
      } catch (error) {
        if (this.#stop.signal.aborted) return null;
        const end = refusedEnd(error);
        if (end !== null) return end;
        if (!(error instanceof BlockedAddress)) {
          this.#failure =
            error instanceof z.ZodError
              ? 'Discord does not say where its gateway is.'
              : 'Discord cannot be reached.';
          log.warn({ cause: error, retryMs: waitMs }, `${this.#failure} Trying again.`);
        }
        this.#started.resolve();
        const blockedMs = (this.#block?.endsAt ?? -Infinity) - this.#timers.monotonic();
        await wait(this.#timers, Math.max(waitMs, blockedMs), this.#stop.signal).catch(() => undefined);
      }
    }
    return null;
  }

  /** @throws what REST throws, BlockedAddress, or ZodError */
  async #fetchGateway(signal: AbortSignal): Promise<GatewayInfo> {
    const now = this.#timers.monotonic();
    if (this.#block !== null && now < this.#block.endsAt) throw this.#block.error;
    this.#fetchedAt = now;
    const within = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    try {
      const gateway = GATEWAY_INFO.parse(await this.#options.fetchGateway(within));
      this.#gatewayUrl = gateway.url;
      this.#block = null;
      return gateway;
    } catch (error) {
      throw this.#recordBlock(blockOf(error)) ?? error;
    }
  }

  /** Logs once how long Discord refuses this IP address. */
  #recordBlock(error: BlockedAddress | null): BlockedAddress | null {
    if (error === null) return null;
    if (this.#block === null || error.retryInMs !== null) this.#options.log.warn(error.message);
    const endsAt = error.retryInMs === null ? -Infinity : this.#timers.monotonic() + error.retryInMs;
    this.#block = { error, endsAt };
    return error;
  }

  /** Fetches the gateway's URL again for the next try, because a gateway that does not accept a shard may have moved. */
  #refreshGatewayUrl(): void {
    const { signal } = this.#stop;
    if (signal.aborted || this.#timers.monotonic() - this.#fetchedAt < GATEWAY_URL_MS) return;
    this.#fetchGateway(signal).catch((error: unknown) => {
      this.#options.log.debug({ err: error }, "the gateway's URL could not be fetched");
    });
  }

  #repeatedCloseCodes(): readonly number[] {
    return [...this.#shards.values()]
      .map(({ repeatedCloseCode }) => repeatedCloseCode)
      .filter((closeCode) => closeCode !== null);
  }

  #autoCount(gateway: GatewayInfo, shards: readonly number[] | 'auto'): number {
    const named = shards === 'auto' ? 0 : Math.max(...shards) + 1;
    return Math.max(gateway.shards, named, this.#shardCountMin);
  }

  async #closeShards(): Promise<void> {
    const shards = [...this.#shards.values()];
    this.#shards.clear();
    await Promise.all(shards.map((shard) => shard.close()));
  }

  #dispatch(shardId: number, packet: GatewayDispatchPayload): void {
    this.#options.onDispatch(shardId, packet);
    if (packet.t === GatewayDispatchEvents.Ready) this.#started.resolve();
  }
}

function closedAgain(closeCode: number): string {
  return `Discord's gateway closes the connection again and again, with code ${closeCode}.`;
}
