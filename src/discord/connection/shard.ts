import {
  GatewayDispatchEvents,
  GatewayOpcodes,
  GatewayVersion,
  type GatewayDispatchPayload,
  type GatewayReceivePayload,
  type GatewaySendPayload,
} from 'discord-api-types/v10';
import { CloseCodes } from 'discord.js';

import type { ProcessPauseDetector } from '../../members/gateway/process-pause-detector.ts';
import type { ShardStates } from '../../members/gateway/shard-states.ts';
import type { Timers } from '../../members/timers.ts';
import { HELLO, READY } from './gateway-answers.ts';
import { endsSession, finalEnd, type GatewayEnd } from './gateway-end.ts';
import { IdentifiesSpent, type IdentifyBudget } from './identify-budget.ts';
import { Backoff, type BackoffOptions } from './backoff.ts';
import { NO_REASON, type OpenSocket, type ShardSocket } from './shard-socket.ts';

export interface ShardOptions extends BackoffOptions {
  readonly shardId: number;
  readonly shardCount: number;
  readonly token: string;
  readonly intents: number;
  /** The URL for new sessions: the last known `url` of `GET /gateway/bot`. */
  readonly gatewayUrl: () => string;
  readonly shardStates: ShardStates;
  readonly processPauses: ProcessPauseDetector;
  readonly budget: IdentifyBudget;
  readonly timers: Timers;
  readonly openSocket: OpenSocket;
  /** Called for each dispatch, in order, after `shardStates`. It must not throw. */
  readonly onDispatch: (shardId: number, packet: GatewayDispatchPayload) => void;
  /** Called when a running session is cut off. It comes back by itself with RESUMED or READY. */
  readonly onDown: (shardId: number) => void;
  /** Called once, when Discord would refuse this shard again. */
  readonly onRefused: (end: GatewayEnd) => void;
  /** Called when a connection ended before the shard was ready. The shard tries again. */
  readonly onFailure: () => void;
  /**
   * Called when connections in a row were closed with the same code. Called again only after a lasting connection or
   * another code.
   */
  readonly onRepeatedClose: (shardId: number, closeCode: number) => void;
  readonly onDebug: (message: string) => void;
}

interface Session {
  readonly id: string;
  /** null when Discord named no usable URL. */
  readonly resumeUrl: string | null;
}

/** Longest wait for HELLO, and for RESUMED. */
const STEP_MS = 30_000;
/** Longest wait for any frame after a heartbeat was sent, because Discord acknowledges each. */
const SILENCE_MS = 10_000;
/** After this many connections without RESUMED we no longer use the session's own URL. */
const RESUME_URL_TRIES = 3;

/** Keeps one shard connected, and reports every frame to `shardStates`. Shards are independent of each other. */
export class Shard {
  readonly #options: ShardOptions;
  readonly #backoff: Backoff;
  #socket: ShardSocket | null = null;
  #session: Session | null = null;
  #sequence: number | null = null;
  /** Connections to the session's own URL since the shard was last ready. */
  #resumeUrlTries = 0;
  #isReady = false;
  #hasIdentified = false;
  #isClosed = false;
  /** When the last frame of this socket arrived. */
  #lastFrameAt = 0;
  #heartbeatIntervalMs = 0;
  /** When the oldest heartbeat without an acknowledgement was sent. */
  #unackedSince: number | null = null;
  #closeCode: number | null = null;
  #repeatedCloseCode: number | null = null;
  /** Aborts everything that waits for this socket. */
  #attempt = new AbortController();
  #cancelDeadline: () => void = () => {};
  #cancelAckDeadline: () => void = () => {};
  #cancelHeartbeat: () => void = () => {};
  #cancelPause: () => void = () => {};

  constructor(options: ShardOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options);
  }

  connect(): void {
    if (this.#isClosed) return;
    const { gatewayUrl, openSocket } = this.#options;
    const resumeUrl = this.#resumeUrlTries < RESUME_URL_TRIES ? this.#session?.resumeUrl : null;
    this.#resumeUrlTries += 1;
    const url = new URL(resumeUrl ?? gatewayUrl());
    url.search = `v=${GatewayVersion}&encoding=json`;
    url.hash = '';
    this.#attempt = new AbortController();
    this.#startDeadline(STEP_MS, 'Discord sent no HELLO');
    this.#socket = openSocket(url.href, {
      onFrame: (frame) => this.#handleFrame(frame),
      onEnd: (closeCode, error) => this.#socketEnded(closeCode, error),
    });
  }

  /** The code with which connections are closed again and again, or null. */
  get repeatedCloseCode(): number | null {
    return this.#repeatedCloseCode;
  }

  /**
   * Sends a payload. It is never queued.
   * @throws Error when the shard is not connected
   */
  send(payload: GatewaySendPayload): void {
    const { shardId } = this.#options;
    if (!this.#isReady || this.#socket === null) throw new Error(`Shard ${shardId} is not connected.`);
    this.#socket.send(payload);
  }

  /**
   * Call it after this process was paused. Only the acknowledgement of a heartbeat sent now proves that everything
   * we missed has arrived.
   */
  sendProbeHeartbeat(): void {
    if (!this.#isReady) return;
    // This process was silent, not the shard.
    this.#lastFrameAt = this.#options.timers.monotonic();
    this.#unackedSince = null;
    this.#sendHeartbeat();
  }

  /** Ends the session. */
  async close(): Promise<void> {
    const { shardId, shardStates } = this.#options;
    this.#isClosed = true;
    shardStates.lost(shardId, { isUpToDate: true });
    this.#cancelPause();
    await this.#dropSocket(CloseCodes.Normal);
  }

  #handleFrame(frame: GatewayReceivePayload): void {
    const { shardId, shardStates, timers } = this.#options;
    this.#lastFrameAt = timers.monotonic();
    switch (frame.op) {
      case GatewayOpcodes.Dispatch:
        this.#handleDispatch(frame);
        break;
      case GatewayOpcodes.HeartbeatAck:
        shardStates.heartbeatAcked(shardId);
        this.#unackedSince = null;
        this.#cancelAckDeadline();
        break;
      case GatewayOpcodes.Heartbeat:
        this.#sendHeartbeat();
        break;
      case GatewayOpcodes.Hello:
        this.#hello(frame.d);
        break;
      case GatewayOpcodes.Reconnect:
        this.#reconnect('Discord asks for it', { isUpToDate: true });
        break;
      case GatewayOpcodes.InvalidSession:
        // `d` says whether a RESUME may still work.
        if (!frame.d) this.#forgetSession();
        this.#reconnect('invalid session', { isUpToDate: true });
        break;
    }
  }

  #handleDispatch(packet: GatewayDispatchPayload): void {
    const { shardId, shardStates, onDispatch } = this.#options;
    // Replayed dispatches come in order, too. Other Discord-compatible servers send some without a number.
    const sequence: number | null = packet.s;
    if (sequence !== null) this.#sequence = sequence;
    if (packet.t === GatewayDispatchEvents.Ready) {
      const ready = READY.safeParse(packet.d);
      if (!ready.success) {
        this.#forgetSession();
        this.#reconnect('READY cannot be read', { isUpToDate: true });
        return;
      }
      this.#session = { id: ready.data.session_id, resumeUrl: ready.data.resume_gateway_url };
      shardStates.ready(shardId, this.#session.id);
      this.#markReady();
    } else if (packet.t === GatewayDispatchEvents.Resumed) {
      shardStates.resumed(shardId);
      this.#markReady();
    } else {
      shardStates.heard(shardId);
    }
    onDispatch(shardId, packet);
  }

  #markReady(): void {
    this.#isReady = true;
    this.#resumeUrlTries = 0;
    this.#cancelDeadline();
    this.#backoff.markReady();
  }

  #hello(hello: unknown): void {
    const { shardId, shardStates, timers, random = Math.random } = this.#options;
    const { success, data } = HELLO.safeParse(hello);
    if (!success) {
      this.#reconnect('HELLO cannot be read', { isUpToDate: true });
      return;
    }
    const heartbeatIntervalMs = data.heartbeat_interval;
    this.#heartbeatIntervalMs = heartbeatIntervalMs;
    shardStates.hello(shardId, heartbeatIntervalMs);
    this.#cancelDeadline();
    this.#cancelHeartbeat();
    const beat = () => {
      this.#sendHeartbeat();
      this.#cancelHeartbeat = timers.after(heartbeatIntervalMs, beat);
    };
    // Discord asks bots to wait a random part of the interval first, so that their heartbeats spread.
    this.#cancelHeartbeat = timers.after(heartbeatIntervalMs * random(), beat);
    if (this.#session === null) void this.#identify();
    else this.#resume(this.#session);
  }

  #sendHeartbeat(): void {
    const { shardId, shardStates, timers } = this.#options;
    shardStates.heartbeatSent(shardId);
    this.#socket?.send({ op: GatewayOpcodes.Heartbeat, d: this.#sequence });
    if (this.#unackedSince !== null) return;
    this.#unackedSince = timers.monotonic();
    this.#expectAck(this.#unackedSince);
  }

  /** Replaces a socket that is open but silent, or does not acknowledge heartbeats. */
  #expectAck(sentAt: number): void {
    const { processPauses, timers } = this.#options;
    const silentAt = Math.max(this.#lastFrameAt, sentAt) + SILENCE_MS;
    const giveUpAt = Math.min(silentAt, sentAt + this.#heartbeatIntervalMs);
    const leftMs = giveUpAt - timers.monotonic();
    this.#cancelAckDeadline();
    if (leftMs <= 0) {
      this.#reconnect('a heartbeat was not acknowledged', { isUpToDate: false });
      return;
    }
    this.#cancelAckDeadline = timers.after(leftMs, () => {
      // If this process was paused, the acknowledgement may have arrived and not been read yet, so wait for another.
      processPauses.check();
      if (this.#unackedSince !== null) this.#expectAck(this.#unackedSince);
    });
  }

  async #identify(): Promise<void> {
    const { shardId, shardCount, token, intents, shardStates, budget } = this.#options;
    const { signal } = this.#attempt;
    try {
      await budget.take(shardId, !this.#hasIdentified, signal);
    } catch (error) {
      if (signal.aborted) return;
      const inMs = error instanceof IdentifiesSpent ? error.retryInMs : 0;
      this.#reconnect(String(error), { isUpToDate: true, inMs });
      return;
    }
    if (signal.aborted) return;
    this.#hasIdentified = true;
    this.#backoff.recordIdentify();
    shardStates.sessionRequested(shardId);
    this.#socket?.send({
      op: GatewayOpcodes.Identify,
      d: {
        token,
        intents,
        shard: [shardId, shardCount],
        properties: { os: process.platform, browser: 'quartermaster', device: 'quartermaster' },
      },
    });
  }

  #resume({ id }: Session): void {
    const { shardId, token, shardStates } = this.#options;
    shardStates.sessionRequested(shardId);
    this.#socket?.send({
      op: GatewayOpcodes.Resume,
      d: { token, session_id: id, seq: this.#sequence ?? 0 },
    });
    this.#startDeadline(STEP_MS, 'RESUME was not answered');
  }

  #socketEnded(closeCode: number, error: Error | null): void {
    const end = finalEnd(closeCode);
    if (end !== null) {
      this.#down(true);
      void this.close();
      this.#options.onRefused(end);
      return;
    }
    if (endsSession(closeCode)) this.#forgetSession();
    this.#reconnect(error?.message ?? `closed with ${closeCode}`, { isUpToDate: closeCode !== NO_REASON });
    this.#recordClose(closeCode);
  }

  /** Reports a close code that comes twice in a row. A single close with a code may be chance. */
  #recordClose(closeCode: number): void {
    const { shardId, onRepeatedClose } = this.#options;
    const isRepeated = closeCode === this.#closeCode && this.#backoff.failures > 1;
    this.#closeCode = closeCode;
    if (isRepeated && this.#repeatedCloseCode === null) onRepeatedClose(shardId, closeCode);
    this.#repeatedCloseCode = isRepeated ? closeCode : null;
  }

  #forgetSession(): void {
    this.#session = null;
    this.#sequence = null;
    this.#resumeUrlTries = 0;
  }

  /**
   * Closes the socket and connects again later.
   * @param isUpToDate true when Discord itself ended the connection, so nothing was missed until now
   */
  #reconnect(
    reason: string,
    { isUpToDate, inMs = 0 }: { readonly isUpToDate: boolean; readonly inMs?: number },
  ): void {
    const { shardId, timers, onDebug, onFailure } = this.#options;
    if (!this.#isReady) onFailure();
    this.#down(isUpToDate);
    void this.#dropSocket(CloseCodes.Resuming);
    const pauseMs = Math.max(inMs, this.#backoff.next(this.#session === null));
    onDebug(`shard ${shardId}: ${reason}; connecting again in ${Math.round(pauseMs)} ms`);
    this.#cancelPause();
    this.#cancelPause = timers.after(pauseMs, () => this.connect());
  }

  #down(isUpToDate: boolean): void {
    const { shardId, shardStates, onDown } = this.#options;
    shardStates.lost(shardId, { isUpToDate });
    if (!this.#isReady) return;
    this.#isReady = false;
    onDown(shardId);
  }

  async #dropSocket(closeCode: number): Promise<void> {
    this.#attempt.abort();
    this.#cancelDeadline();
    this.#cancelAckDeadline();
    this.#cancelHeartbeat();
    this.#isReady = false;
    this.#unackedSince = null;
    const socket = this.#socket;
    this.#socket = null;
    await socket?.close(closeCode);
  }

  /** Connects again after this time, unless the deadline is cancelled. */
  #startDeadline(ms: number, reason: string): void {
    this.#cancelDeadline();
    this.#cancelDeadline = this.#options.timers.after(ms, () =>
      this.#reconnect(reason, { isUpToDate: false }),
    );
  }
}
