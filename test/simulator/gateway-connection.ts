import { GatewayCloseCodes, GatewayOpcodes } from 'discord-api-types/v10';
import type { GatewayReceivePayload } from 'discord-api-types/v10';
import type { RawData, WebSocket } from 'ws';
import type { GatewaySession } from './gateway-session.ts';
import type { GatewaySettings } from './gateway-settings.ts';

/** A client may send 4096 bytes at once: https://docs.discord.com/developers/events/gateway#sending-events */
const PAYLOAD_BYTES_MAX = 4096;

/** The decisions that a connection leaves to others. */
export interface ConnectionHost {
  readonly settings: GatewaySettings;
  identify(connection: GatewayConnection, data: unknown): void;
  resume(connection: GatewayConnection, data: unknown): void;
  requestMembers(session: GatewaySession, data: unknown): void;
  endSession(session: GatewaySession): void;
  changed(): void;
}

export interface SentPayload {
  readonly op: GatewayOpcodes;
  readonly d: unknown;
}

/** One WebSocket of a client, with all that can go wrong with it. */
export class GatewayConnection {
  /** Null until IDENTIFY or RESUME was accepted. */
  session: GatewaySession | null = null;
  /** Everything that the client has sent, without its heartbeats. */
  readonly received: SentPayload[] = [];
  heartbeats = 0;
  /** Heartbeats of this connection are not acknowledged from now on. */
  ignoreHeartbeats = false;
  /** Null while it is open; 1006 is a dropped socket. */
  closeCode: number | null = null;
  readonly #socket: WebSocket;
  readonly #host: ConnectionHost;
  #isFrozen = false;
  /** When the payloads of the last window came, oldest first. */
  readonly #cameAt: number[] = [];

  constructor(socket: WebSocket, host: ConnectionHost) {
    this.#socket = socket;
    this.#host = host;
    socket.on('message', (data) => this.#receive(data));
    socket.on('close', (code) => this.#end(code));
    // The close that follows says everything.
    socket.on('error', () => {});
  }

  get isOpen(): boolean {
    return this.closeCode === null;
  }

  /** The shard of its session, -1 without one. */
  get shardId(): number {
    return this.session?.shard[0] ?? -1;
  }

  /** Closes with one of Discord's codes (GatewayCloseCodes), or 1000, 1001, 1012 ... */
  close(code: number, reason = ''): void {
    this.#socket.close(code, reason);
  }

  /**
   * Half open, as when a router has forgotten the connection: nothing arrives in either direction, and nobody notices.
   */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Cuts the socket without a word, as a broken network does. */
  drop(): void {
    this.#socket.terminate();
  }

  /** Asks the client to connect again and resume (opcode 7). */
  reconnect(): void {
    this.sendPayload({
      op: GatewayOpcodes.Reconnect,
      d: null,
      s: null,
      t: null,
    } as unknown as GatewayReceivePayload);
  }

  /** Says that the session is gone (opcode 9); `resumable` means that a RESUME may still work. */
  invalidateSession(resumable: boolean): void {
    if (this.session) {
      this.session.socket = null;
      if (!resumable) this.#host.endSession(this.session);
      this.session = null;
    }
    this.sendPayload({ op: GatewayOpcodes.InvalidSession, d: resumable } as GatewayReceivePayload);
  }

  /** Asks for a heartbeat at once (opcode 1). */
  requestHeartbeat(): void {
    this.sendPayload({ op: GatewayOpcodes.Heartbeat, d: undefined } as GatewayReceivePayload);
  }

  sendPayload(payload: GatewayReceivePayload): void {
    this.send(JSON.stringify(payload));
  }

  /** Sends any text, even if it is not JSON. */
  send(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN && !this.#isFrozen) this.#socket.send(text);
  }

  /** Bytes that the client has not taken yet. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  #receive(data: RawData): void {
    if (this.#isFrozen) return;
    if (!this.#isWithinLimit())
      return this.close(GatewayCloseCodes.RateLimited, 'You are being rate limited.');
    const payload = parsePayload(data);
    if (payload === null) return this.close(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
    if (payload.op === GatewayOpcodes.Heartbeat) return this.#heartbeat(payload.d);
    this.received.push(payload);
    switch (payload.op) {
      case GatewayOpcodes.Identify:
        if (this.session) return this.close(GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
        this.#host.identify(this, payload.d);
        break;
      case GatewayOpcodes.Resume:
        if (this.session) return this.close(GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
        this.#host.resume(this, payload.d);
        break;
      case GatewayOpcodes.RequestGuildMembers:
        if (!this.session) return this.close(GatewayCloseCodes.NotAuthenticated, 'Not authenticated.');
        this.#host.requestMembers(this.session, payload.d);
        break;
      case GatewayOpcodes.PresenceUpdate:
      case GatewayOpcodes.VoiceStateUpdate:
        if (!this.session) return this.close(GatewayCloseCodes.NotAuthenticated, 'Not authenticated.');
        break;
      default:
        return this.close(GatewayCloseCodes.UnknownOpcode, 'Unknown opcode.');
    }
    this.#host.changed();
  }

  #heartbeat(sequence: unknown): void {
    this.heartbeats += 1;
    if (typeof sequence === 'number') this.session?.confirm(sequence);
    if (!this.ignoreHeartbeats && !this.#host.settings.ignoreHeartbeats) {
      this.sendPayload({ op: GatewayOpcodes.HeartbeatAck } as GatewayReceivePayload);
    }
    this.#host.changed();
  }

  #isWithinLimit(): boolean {
    const { count, windowMs } = this.#host.settings.sendLimit;
    const now = Date.now();
    this.#cameAt.push(now);
    while ((this.#cameAt[0] ?? now) <= now - windowMs) this.#cameAt.shift();
    return this.#cameAt.length <= count;
  }

  #end(code: number): void {
    this.closeCode = code;
    if (this.session?.socket === this) this.session.socket = null;
    this.#host.changed();
  }
}

function parsePayload(data: RawData): SentPayload | null {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer);
  if (bytes.length > PAYLOAD_BYTES_MAX) return null;
  try {
    const payload: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof payload !== 'object' || payload === null || !('op' in payload)) return null;
    return isOpcode(payload.op) ? { op: payload.op, d: 'd' in payload ? payload.d : null } : null;
  } catch {
    return null;
  }
}

function isOpcode(value: unknown): value is GatewayOpcodes {
  return typeof value === 'number';
}
