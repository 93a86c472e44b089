import { GatewayOpcodes, type GatewayReceivePayload, type GatewaySendPayload } from 'discord-api-types/v10';

import type { ShardSocket, SocketListener } from '../../../../src/discord/connection/shard-socket.ts';

export interface Session {
  readonly id: string;
  readonly shardId: number;
  /** Dispatches in order; the sequence is the place from 1 on. */
  readonly log: {
    readonly frame: GatewayReceivePayload;
    readonly holders: string;
    /** Changes of the guild until then. */
    readonly changes: number;
  }[];
}

/** One socket between Discord and the process; frames wait in it until they are delivered. */
export class Link implements ShardSocket {
  readonly #onSend: (link: Link, payload: GatewaySendPayload) => void;
  readonly #listener: SocketListener;
  readonly waiting: GatewayReceivePayload[] = [];
  session: Session | null = null;
  isOpen = true;
  isFrozen = false;
  closedWith: number | null = null;
  /** The last dispatch of the session that was delivered. */
  delivered = 0;

  constructor(onSend: (link: Link, payload: GatewaySendPayload) => void, listener: SocketListener) {
    this.#onSend = onSend;
    this.#listener = listener;
  }

  send(payload: GatewaySendPayload): void {
    if (this.isOpen && !this.isFrozen) this.#onSend(this, payload);
  }

  async close(closeCode: number): Promise<void> {
    this.isOpen = false;
    this.closedWith = closeCode;
  }

  push(frame: GatewayReceivePayload): void {
    if (this.isOpen && !this.isFrozen) this.waiting.push(frame);
  }

  end(closeCode: number): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#listener.onEnd(closeCode, null);
  }

  /** @param afterEach called after each frame */
  deliver(afterEach: () => void = () => {}): void {
    for (let frame = this.waiting.shift(); frame !== undefined && this.isOpen; frame = this.waiting.shift()) {
      if (frame.op === GatewayOpcodes.Dispatch) this.delivered = frame.s;
      this.#listener.onFrame(frame);
      afterEach();
    }
  }
}
