import { GatewayOpcodes } from 'discord-api-types/v10';
import type { GatewayDispatchEvents } from 'discord-api-types/v10';
import type { SimulatedBot } from './bot-model.ts';
import { isWanted } from './dispatch.ts';
import type { DispatchData } from './dispatch.ts';
import { shardOf } from './snowflakes.ts';

/** Discord keeps far less; a session that missed more than this has to start over. */
const REPLAY_MAX = 20_000;
const REPLAY_CHARACTERS_MAX = 64 * 1024 * 1024;

/** Where a session's dispatches go while somebody is connected. */
export interface SessionSocket {
  send(text: string): void;
}

/** Begun by an IDENTIFY. It outlives its connection, and a RESUME takes it up again. */
export class GatewaySession {
  readonly id: string;
  readonly bot: SimulatedBot;
  readonly shard: readonly [id: number, count: number];
  readonly intents: number;
  readonly largeThreshold: number;
  /** Null between two connections. */
  socket: SessionSocket | null = null;
  #sequence = 0;
  /** Dispatches that the client has not confirmed, oldest first. */
  #unconfirmed: { sequence: number; text: string }[] = [];
  #unconfirmedCharacters = 0;

  constructor(
    id: string,
    bot: SimulatedBot,
    identify: { shard: readonly [number, number]; intents: number; largeThreshold: number },
  ) {
    this.id = id;
    this.bot = bot;
    this.shard = identify.shard;
    this.intents = identify.intents;
    this.largeThreshold = identify.largeThreshold;
  }

  /** The number of the last dispatch. */
  get sequence(): number {
    return this.#sequence;
  }

  holds(guildId: string): boolean {
    return shardOf(guildId, this.shard[1]) === this.shard[0];
  }

  /** Sends a dispatch, or keeps it for the resume; drops it when the session did not ask for its intent. */
  dispatch<Event extends GatewayDispatchEvents>(event: Event, data: DispatchData<Event>): void {
    this.dispatchJson(event, JSON.stringify(data));
  }

  /** The same with `d` already written, for what goes to many sessions. */
  dispatchJson(event: GatewayDispatchEvents, data: string): void {
    if (!isWanted(event, this.intents)) return;
    this.#sequence += 1;
    const text = `{"t":"${event}","s":${this.#sequence},"op":${GatewayOpcodes.Dispatch},"d":${data}}`;
    this.#unconfirmed.push({ sequence: this.#sequence, text });
    this.#unconfirmedCharacters += text.length;
    while (this.#unconfirmed.length > REPLAY_MAX || this.#unconfirmedCharacters > REPLAY_CHARACTERS_MAX) {
      this.#forgetOldest();
    }
    this.socket?.send(text);
  }

  /** A heartbeat names the last dispatch that has arrived, so the ones up to it are not needed again. */
  confirm(sequence: number): void {
    const kept = this.#unconfirmed.findIndex((dispatch) => dispatch.sequence > sequence);
    const gone = this.#unconfirmed.splice(0, kept === -1 ? this.#unconfirmed.length : kept);
    for (const { text } of gone) this.#unconfirmedCharacters -= text.length;
  }

  /** Dispatches sent after `sequence`; null when they are no longer known or were never sent. */
  missedSince(sequence: number): string[] | null {
    const oldest = this.#unconfirmed[0]?.sequence ?? this.#sequence + 1;
    if (sequence > this.#sequence || sequence + 1 < oldest) return null;
    return this.#unconfirmed.filter((dispatch) => dispatch.sequence > sequence).map(({ text }) => text);
  }

  #forgetOldest(): void {
    const oldest = this.#unconfirmed.shift();
    if (oldest) this.#unconfirmedCharacters -= oldest.text.length;
  }
}
