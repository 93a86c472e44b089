import {
  GatewayDispatchEvents,
  GatewayOpcodes,
  type GatewayDispatchPayload,
  type GatewayReadyDispatchData,
  type GatewayReceivePayload,
  type GatewaySendPayload,
} from 'discord-api-types/v10';

import type { GapWatch } from '../../members/gateway/gap-watch.ts';
import type { ShardTruth } from '../../members/gateway/shard-truth.ts';
import type { Timers } from '../../members/gateway/timers.ts';
import { endsSession, finalEnd, type GatewayEnd } from './gateway-end.ts';
import { IdentifiesSpent, type IdentifyBudget } from './identify-budget.ts';
import { Pauses, type PauseOptions } from './pauses.ts';
import type { OpenSocket, ShardSocket } from './shard-socket.ts';

export interface ShardOptions extends PauseOptions {
  readonly shardId: number;
  readonly shardCount: number;
  readonly token: string;
  readonly intents: number;
  /** Where sessions begin: `url` of `GET /gateway/bot`. */
  readonly gatewayUrl: string;
  readonly truth: ShardTruth;
  readonly gaps: GapWatch;
  readonly budget: IdentifyBudget;
  readonly timers: Timers;
  readonly openSocket: OpenSocket;
  /** Each dispatch, in order. `truth` knows of it already. It must not throw. */
  readonly onDispatch: (shardId: number, packet: GatewayDispatchPayload) => void;
  /** A session that was let in is cut off. It comes back by itself with RESUMED or READY. */
  readonly onDown: (shardId: number) => void;
  /** Called once: Discord will not let this shard in again as it is. */
  readonly onEnd: (end: GatewayEnd) => void;
  readonly onDebug: (message: string) => void;
}

interface Session {
  readonly id: string;
  readonly resumeUrl: string;
}

/** Longest wait for HELLO, and for the session after IDENTIFY or RESUME. */
const STEP_MS = 30_000;
/** Longest wait for anything to come after a heartbeat was sent: Discord answers each. */
const ANSWER_MS = 10_000;
/** After this many refused connections we no longer trust the address of the session. */
const RESUME_URL_TRIES = 3;
/** A close code with which the session can be resumed. */
const RESUMABLE = 4200;
/** The socket broke. */
const NOBODY_SAID_WHY = 1006;

/** Keeps one shard connected, and reports what it hears to `truth`. Shards do not depend on each other. */
export class Shard {
  readonly #options: ShardOptions;
  readonly #pauses: Pauses;
  #socket: ShardSocket | null = null;
  #session: Session | null = null;
  #sequence: number | null = null;
  #isLetIn = false;
  #hasIdentified = false;
  #isClosed = false;
  /** The last frame of this socket. */
  #heardAt = 0;
  /** Ends what waits for this socket. */
  #attempt = new AbortController();
  #cancelDeadline: () => void = () => {};
  #cancelAnswer: () => void = () => {};
  #cancelBeat: () => void = () => {};
  #cancelPause: () => void = () => {};

  constructor(options: ShardOptions) {
    this.#options = options;
    this.#pauses = new Pauses(options);
  }

  connect(): void {
    if (this.#isClosed) return;
    const { gatewayUrl, openSocket } = this.#options;
    const isResumeUrlTried = this.#pauses.failures >= RESUME_URL_TRIES;
    const url = new URL(isResumeUrlTried ? gatewayUrl : (this.#session?.resumeUrl ?? gatewayUrl));
    url.search = 'v=10&encoding=json';
    this.#attempt = new AbortController();
    this.#expectWithin(STEP_MS, 'Discord does not greet');
    this.#socket = openSocket(url.href, {
      onFrame: (frame) => this.#handleFrame(frame),
      onEnd: (closeCode, error) => this.#socketEnded(closeCode, error),
    });
  }

  /** Nothing is kept for later. @throws Error when the shard is not connected */
  send(payload: GatewaySendPayload): void {
    const { shardId } = this.#options;
    if (!this.#isLetIn || this.#socket === null) throw new Error(`Shard ${shardId} is not connected.`);
    this.#socket.send(payload);
  }

  /** This process stood still. Only the answer to a heartbeat sent now shows that everything we missed has come. */
  confirm(): void {
    if (!this.#isLetIn) return;
    // We were silent, not the shard.
    this.#heardAt = this.#options.timers.monotonic();
    this.#beat();
  }

  /** Ends the session. */
  async close(): Promise<void> {
    const { shardId, truth } = this.#options;
    this.#isClosed = true;
    truth.lost(shardId, { heard: true });
    this.#cancelPause();
    await this.#dropSocket(1000);
  }

  #handleFrame(frame: GatewayReceivePayload): void {
    const { shardId, truth, timers } = this.#options;
    this.#heardAt = timers.monotonic();
    switch (frame.op) {
      case GatewayOpcodes.Dispatch:
        this.#handleDispatch(frame);
        break;
      case GatewayOpcodes.HeartbeatAck:
        truth.heartbeatAnswered(shardId);
        this.#cancelAnswer();
        break;
      case GatewayOpcodes.Heartbeat:
        this.#beat();
        break;
      case GatewayOpcodes.Hello:
        this.#greeted(frame.d.heartbeat_interval);
        break;
      case GatewayOpcodes.Reconnect:
        this.#again('Discord asks for it', { heard: true });
        break;
      case GatewayOpcodes.InvalidSession:
        // `d` says whether a RESUME may still work.
        if (!frame.d) this.#session = null;
        this.#again('invalid session', { heard: true });
        break;
    }
  }

  #handleDispatch(packet: GatewayDispatchPayload): void {
    const { shardId, truth, onDispatch } = this.#options;
    // Replayed ones come in order, too.
    this.#sequence = packet.s;
    if (packet.t === GatewayDispatchEvents.Ready) {
      this.#session = toSession(packet.d, this.#options.gatewayUrl);
      truth.ready(shardId, this.#session.id);
      this.#letIn();
    } else if (packet.t === GatewayDispatchEvents.Resumed) {
      truth.resumed(shardId);
      this.#letIn();
    } else {
      truth.heard(shardId);
    }
    onDispatch(shardId, packet);
  }

  #letIn(): void {
    this.#isLetIn = true;
    this.#cancelDeadline();
    this.#pauses.letIn();
  }

  #greeted(heartbeatIntervalMs: number): void {
    const { shardId, truth, timers, random = Math.random } = this.#options;
    truth.greeted(shardId, heartbeatIntervalMs);
    this.#cancelDeadline();
    const beat = () => {
      this.#beat();
      this.#cancelBeat = timers.after(heartbeatIntervalMs, beat);
    };
    // Discord asks for a random part of the interval first, so that not all bots beat at once.
    this.#cancelBeat = timers.after(heartbeatIntervalMs * random(), beat);
    if (this.#session === null) void this.#identify();
    else this.#resume(this.#session);
  }

  #beat(): void {
    const { shardId, truth } = this.#options;
    truth.heartbeatSent(shardId);
    this.#socket?.send({ op: GatewayOpcodes.Heartbeat, d: this.#sequence });
    this.#expectAnswer(ANSWER_MS);
  }

  /** A socket that is open but silent is broken somewhere, so it is replaced. */
  #expectAnswer(inMs: number): void {
    const { gaps, timers } = this.#options;
    this.#cancelAnswer();
    this.#cancelAnswer = timers.after(inMs, () => {
      // If this process stood still, the answer may have come without having been read yet.
      gaps.look();
      const silentMs = timers.monotonic() - this.#heardAt;
      // Other frames came, so the answer is only late.
      if (silentMs < ANSWER_MS) this.#expectAnswer(ANSWER_MS - silentMs);
      else this.#again('a heartbeat was not answered', { heard: false });
    });
  }

  async #identify(): Promise<void> {
    const { shardId, shardCount, token, intents, truth, budget } = this.#options;
    const { signal } = this.#attempt;
    try {
      await budget.take(shardId, !this.#hasIdentified, signal);
    } catch (error) {
      if (signal.aborted) return;
      const inMs = error instanceof IdentifiesSpent ? error.retryInMs : 0;
      this.#again(String(error), { heard: true, inMs });
      return;
    }
    if (signal.aborted) return;
    this.#hasIdentified = true;
    this.#sequence = null;
    this.#pauses.identified();
    truth.opening(shardId);
    this.#socket?.send({
      op: GatewayOpcodes.Identify,
      d: {
        token,
        intents,
        shard: [shardId, shardCount],
        properties: { os: process.platform, browser: 'quartermaster', device: 'quartermaster' },
      },
    });
    this.#expectWithin(STEP_MS, 'IDENTIFY was not answered');
  }

  #resume({ id }: Session): void {
    const { shardId, token, truth } = this.#options;
    truth.opening(shardId);
    this.#socket?.send({
      op: GatewayOpcodes.Resume,
      d: { token, session_id: id, seq: this.#sequence ?? 0 },
    });
    this.#expectWithin(STEP_MS, 'RESUME was not answered');
  }

  #socketEnded(closeCode: number, error: Error | null): void {
    const end = finalEnd(closeCode);
    if (end !== null) {
      this.#down(true);
      void this.close();
      this.#options.onEnd(end);
      return;
    }
    if (endsSession(closeCode)) this.#session = null;
    this.#again(error?.message ?? `closed with ${closeCode}`, { heard: closeCode !== NOBODY_SAID_WHY });
  }

  /** Gives up the socket and connects again later. @param heard whether Discord itself ended the connection */
  #again(why: string, { heard, inMs = 0 }: { readonly heard: boolean; readonly inMs?: number }): void {
    const { shardId, timers, onDebug } = this.#options;
    this.#down(heard);
    void this.#dropSocket(RESUMABLE);
    const pauseMs = Math.max(inMs, this.#pauses.next(this.#session === null));
    onDebug(`shard ${shardId}: ${why}; connecting again in ${Math.round(pauseMs)} ms`);
    this.#cancelPause();
    this.#cancelPause = timers.after(pauseMs, () => this.connect());
  }

  #down(heard: boolean): void {
    const { shardId, truth, onDown } = this.#options;
    truth.lost(shardId, { heard });
    if (!this.#isLetIn) return;
    this.#isLetIn = false;
    onDown(shardId);
  }

  async #dropSocket(closeCode: number): Promise<void> {
    this.#attempt.abort();
    this.#cancelDeadline();
    this.#cancelAnswer();
    this.#cancelBeat();
    this.#isLetIn = false;
    const socket = this.#socket;
    this.#socket = null;
    await socket?.close(closeCode);
  }

  #expectWithin(ms: number, otherwise: string): void {
    this.#cancelDeadline();
    this.#cancelDeadline = this.#options.timers.after(ms, () => this.#again(otherwise, { heard: false }));
  }
}

function toSession(ready: GatewayReadyDispatchData, gatewayUrl: string): Session {
  // Other servers leave the address out.
  const resumeUrl: string | undefined = ready.resume_gateway_url;
  return { id: ready.session_id, resumeUrl: resumeUrl ?? gatewayUrl };
}
