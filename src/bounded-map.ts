export interface BoundedMapOptions {
  /** Beyond it the oldest entry goes. */
  readonly entriesMax: number;
  /** Milliseconds that an entry lives after it was set. Default: for good. */
  readonly ttlMs?: number;
  /** Milliseconds. Default `performance.now`. */
  readonly now?: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

/** A map that forgets: the oldest entry goes first. All live equally long, so the order of setting is that of expiry. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #entriesMax: number;
  readonly #ttlMs: number;
  readonly #now: () => number;

  constructor({ entriesMax, ttlMs = Infinity, now = () => performance.now() }: BoundedMapOptions) {
    this.#entriesMax = entriesMax;
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  get size(): number {
    this.#dropExpired();
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    this.#dropExpired();
    return this.#entries.get(key)?.value;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Milliseconds until the next entry goes; 0 when there is none. */
  oldestTimeLeftMs(): number {
    this.#dropExpired();
    const oldest = this.#entries.values().next();
    return oldest.done ? 0 : oldest.value.expiresAt - this.#now();
  }

  /** The entry becomes the newest. */
  set(key: string, value: Value): void {
    this.#dropExpired();
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAt: this.#now() + this.#ttlMs });
    if (this.#entries.size > this.#entriesMax) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  #dropExpired(): void {
    if (this.#ttlMs === Infinity) return;
    const now = this.#now();
    for (const [key, entry] of this.#entries) {
      if (entry.expiresAt > now) return;
      this.#entries.delete(key);
    }
  }
}
