import type { Timers } from '../timers.ts';

/**
 * Discord closes a connection at 120 payloads in 60 s, heartbeats and IDENTIFY included, counted as they arrive. A slow
 * network can delay payloads so that more arrive together, so our window is longer.
 */
export const MEMBER_REQUESTS = { sendsMax: 110, sendsReserved: 10, windowMs: 65_000 } as const;

export interface MemberRequestQueueOptions {
  readonly timers: Timers;
  /** Most sends in a window. */
  readonly sendsMax: number;
  /** Sends reserved for guilds that callers ask for. */
  readonly sendsReserved: number;
  readonly windowMs: number;
  /** True while the shard is connected. */
  readonly isOpen: () => boolean;
  /** Sends the request of a guild. Throws when the shard is not connected. */
  readonly send: (guildId: string) => void;
}

/** Pause after a failed send, which usually means that the connection has just been lost. */
const RETRY_MS = 1_000;

/**
 * Requests for member lists that wait on one shard, in order of arrival. Guilds that callers ask for come first. The
 * queue sends only while the shard is connected.
 */
export class MemberRequestQueue {
  readonly #options: MemberRequestQueueOptions;
  /** By guild, the earliest time to send, on the monotonic clock. In order of arrival. */
  readonly #urgent = new Map<string, number>();
  readonly #others = new Map<string, number>();
  /** Instants of the last sends, oldest first. */
  readonly #sentAt: number[] = [];
  #isClosed = false;
  #cancelTimer: (() => void) | null = null;

  constructor(options: MemberRequestQueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#urgent.size + this.#others.size;
  }

  has(guildId: string): boolean {
    return this.#urgent.has(guildId) || this.#others.has(guildId);
  }

  /** @param notBefore instant of the monotonic clock; 0 for as soon as possible */
  add(guildId: string, notBefore: number): void {
    const queue = this.#urgent.has(guildId) ? this.#urgent : this.#others;
    queue.set(guildId, Math.max(notBefore, queue.get(guildId) ?? 0));
    this.run();
  }

  /** Moves a waiting guild ahead of those that no caller asks for. */
  prefer(guildId: string): void {
    const notBefore = this.#others.get(guildId);
    if (notBefore === undefined) return;
    this.#others.delete(guildId);
    this.#urgent.set(guildId, notBefore);
    this.run();
  }

  remove(guildId: string): void {
    this.#urgent.delete(guildId);
    this.#others.delete(guildId);
  }

  /** Milliseconds until the request of a waiting guild is sent, unless other guilds overtake it. */
  waitMs(guildId: string): number {
    const now = this.#options.timers.monotonic();
    const isUrgent = this.#urgent.has(guildId);
    const notBefore = this.#urgent.get(guildId) ?? this.#others.get(guildId) ?? 0;
    return Math.max(0, notBefore - now, this.#freeAt(isUrgent) - now);
  }

  run(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const { timers, isOpen } = this.#options;
    const now = timers.monotonic();
    while (this.length > 0 && !this.#isClosed && isOpen()) {
      const next = this.#sendNext(now);
      if (next === null) continue;
      this.#cancelTimer = timers.after(next - now, () => this.run());
      return;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#urgent.clear();
    this.#others.clear();
  }

  /** The instant at which the window has capacity for another send. */
  #freeAt(isUrgent: boolean): number {
    const { sendsMax, sendsReserved, windowMs } = this.#options;
    const first = this.#sentAt[this.#sentAt.length - sendsMax + (isUrgent ? 0 : sendsReserved)];
    return first === undefined ? 0 : first + windowMs;
  }

  /** Sends the first request that is due. Otherwise returns the instant at which the next one will be. */
  #sendNext(now: number): number | null {
    let soonest = Infinity;
    for (const queue of [this.#urgent, this.#others]) {
      const freeAt = this.#freeAt(queue === this.#urgent);
      for (const [guildId, notBefore] of queue) {
        const at = Math.max(notBefore, freeAt);
        if (at <= now) {
          queue.delete(guildId);
          this.#send(queue, guildId, now);
          return null;
        }
        soonest = Math.min(soonest, at);
        if (freeAt > now) break;
      }
    }
    return soonest;
  }

  #send(queue: Map<string, number>, guildId: string, now: number): void {
    this.#sentAt.push(now);
    if (this.#sentAt.length > this.#options.sendsMax) this.#sentAt.shift();
    try {
      this.#options.send(guildId);
    } catch {
      queue.set(guildId, now + RETRY_MS);
    }
  }
}
