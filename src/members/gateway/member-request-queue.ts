import type { Timers } from './timers.ts';

export interface MemberRequestQueueOptions {
  readonly timers: Timers;
  /** Sends in a window; Discord closes a connection at 120 in 60 s, other payloads than ours included. */
  readonly sendsMax: number;
  readonly windowMs: number;
  /** Sends the request of a guild. Throws or rejects when the shard is not connected. */
  readonly send: (guildId: string) => void | Promise<void>;
}

/** A send that failed is tried again after it; mostly the connection is about to be noticed as lost. */
const RETRY_MS = 1_000;

/**
 * The requests for member lists that wait on one shard: in the order in which they came, those of guilds that
 * somebody asks for first. Nothing is sent while the shard is not connected.
 */
export class MemberRequestQueue {
  readonly #options: MemberRequestQueueOptions;
  /** Guild to the earliest time; in order. */
  readonly #urgent = new Map<string, number>();
  readonly #others = new Map<string, number>();
  /** When the last sends were, oldest first. */
  readonly #sentAt: number[] = [];
  #connected = false;
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

  /** @param notBefore milliseconds since 1970; 0 for as soon as possible */
  add(guildId: string, notBefore: number): void {
    const queue = this.#urgent.has(guildId) ? this.#urgent : this.#others;
    queue.set(guildId, Math.max(notBefore, queue.get(guildId) ?? 0));
    this.#run();
  }

  /** Lets a guild that waits go before those that nobody asks for. */
  prefer(guildId: string): void {
    const notBefore = this.#others.get(guildId);
    if (notBefore === undefined) return;
    this.#others.delete(guildId);
    this.#urgent.set(guildId, notBefore);
    this.#run();
  }

  remove(guildId: string): void {
    this.#urgent.delete(guildId);
    this.#others.delete(guildId);
  }

  /** Milliseconds until the request of a waiting guild goes out, should nobody overtake it. */
  waitMs(guildId: string): number {
    const now = this.#options.timers.now();
    const notBefore = this.#urgent.get(guildId) ?? this.#others.get(guildId) ?? 0;
    return Math.max(0, notBefore - now, this.#freeAt() - now);
  }

  /** A new connection counts its sends anew. */
  connect(): void {
    this.#connected = true;
    this.#sentAt.length = 0;
    this.#run();
  }

  disconnect(): void {
    this.#connected = false;
    this.#cancelTimer?.();
  }

  close(): void {
    this.disconnect();
    this.#urgent.clear();
    this.#others.clear();
  }

  /** When the window has room for a send. */
  #freeAt(): number {
    const { sendsMax, windowMs } = this.#options;
    const first = this.#sentAt[this.#sentAt.length - sendsMax];
    return first === undefined ? 0 : first + windowMs;
  }

  #run(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (!this.#connected) return;
    const { timers } = this.#options;
    const now = timers.now();
    while (this.length > 0) {
      const freeAt = this.#freeAt();
      const next = freeAt > now ? freeAt : this.#sendNext(now);
      if (next === null) continue;
      this.#cancelTimer = timers.after(next - now, () => this.#run());
      return;
    }
  }

  /** Sends the first request whose time has come; else returns when the next one's time comes. */
  #sendNext(now: number): number | null {
    let soonest = Infinity;
    for (const queue of [this.#urgent, this.#others]) {
      for (const [guildId, notBefore] of queue) {
        if (notBefore <= now) {
          queue.delete(guildId);
          this.#send(guildId, now);
          return null;
        }
        soonest = Math.min(soonest, notBefore);
      }
    }
    return soonest;
  }

  #send(guildId: string, now: number): void {
    this.#sentAt.push(now);
    if (this.#sentAt.length > this.#options.sendsMax) this.#sentAt.shift();
    const retry = () => this.#urgent.set(guildId, now + RETRY_MS);
    try {
      const sent = this.#options.send(guildId);
      if (!(sent instanceof Promise)) return;
      sent.catch(() => {
        retry();
        this.#run();
      });
    } catch {
      retry();
    }
  }
}
