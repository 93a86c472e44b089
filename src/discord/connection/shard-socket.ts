import {
  GatewayCloseCodes,
  type GatewayReceivePayload,
  type GatewaySendPayload,
} from 'discord-api-types/v10';
import { WebSocket, type RawData } from 'ws';

export interface SocketListener {
  /** Called for each frame, in the order in which Discord sent it. */
  readonly onFrame: (frame: GatewayReceivePayload) => void;
  /**
   * Called once, and only when the other side or the network ends the connection.
   * @param closeCode `NO_REASON` when it broke without one
   */
  readonly onEnd: (closeCode: number, error: Error | null) => void;
}

export type OpenSocket = (url: string, listener: SocketListener) => ShardSocket;

/** The close code of a connection that broke without one. */
export const NO_REASON = 1006;
/** Longest wait for the answer to the handshake. */
const HANDSHAKE_MS = 20_000;
/** Longest wait for the other side to close as well. */
const CLOSE_MS = 1_000;
/** No frame from Discord comes near this size. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;

export function openSocketAs(userAgent: string): OpenSocket {
  return (url, listener) => new DiscordSocket(url, listener, userAgent);
}

export type ShardSocket = Pick<DiscordSocket, 'send' | 'close'>;

/** One WebSocket, from the handshake on. */
class DiscordSocket {
  readonly #listener: SocketListener;
  readonly #socket: WebSocket;
  #isOver = false;
  #failure: Error | null = null;

  constructor(url: string, listener: SocketListener, userAgent: string) {
    this.#listener = listener;
    this.#socket = new WebSocket(url, {
      headers: { 'user-agent': userAgent },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: FRAME_BYTES_MAX,
      perMessageDeflate: false,
    });
    this.#socket.on('message', (data) => this.#receive(data));
    // Keep the listener for the whole life of the socket. A socket that is closed during its handshake fails only then.
    this.#socket.on('error', (error) => {
      this.#failure = error;
    });
    this.#socket.on('close', (closeCode) => this.#end(closeCode));
  }

  /** Ignored when the socket is not open. */
  send(payload: GatewaySendPayload): void {
    if (!this.#isOver && this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(payload));
    }
  }

  /** Stops calling the listener. Resolves when the socket is closed. If the other side stays silent, it is cut off. */
  async close(closeCode: number): Promise<void> {
    this.#isOver = true;
    await closeSocket(this.#socket, closeCode);
  }

  #receive(data: RawData): void {
    if (this.#isOver) return;
    const frame = readFrame(data);
    if (frame !== null) {
      this.#listener.onFrame(frame);
      return;
    }
    // The frame may have been a change, so this counts as a lost connection.
    this.#socket.close(GatewayCloseCodes.DecodeError);
    this.#end(NO_REASON);
  }

  #end(closeCode: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onEnd(closeCode, this.#failure);
  }
}

async function closeSocket(socket: WebSocket, closeCode: number): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const cutOff = setTimeout(() => socket.terminate(), CLOSE_MS);
  if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
  else socket.close(closeCode);
  await closed;
  clearTimeout(cutOff);
}

/** Returns null when it is not a gateway frame. */
function readFrame(data: RawData): GatewayReceivePayload | null {
  try {
    // By default, ws gives each message as one Buffer.
    const frame: unknown = Buffer.isBuffer(data) ? JSON.parse(data.toString()) : null;
    const isFrame = typeof frame === 'object' && frame !== null && 'op' in frame;
    return isFrame ? (frame as GatewayReceivePayload) : null;
  } catch {
    return null;
  }
}
