export interface BoundedMapOptions {
  /** When the map is full, the oldest entry is dropped. */
  readonly entriesMax: number;
  /** How long an entry lives after it was set, in milliseconds. Default: forever. */
  readonly ttlMs?: number;
  /** Milliseconds. Default `performance.now`. */
  readonly now?: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

/** A map that forgets its oldest entries. All of them live equally long, so they expire in the order they were set. */
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
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt === Infinity || entry.expiresAt > this.#now()) return entry.value;
    this.#dropExpired();
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Milliseconds until the next entry expires; 0 when the map is empty. */
  oldestTimeLeftMs(): number {
    this.#dropExpired();
    const oldest = this.#entries.values().next();
    return oldest.done ? 0 : oldest.value.expiresAt - this.#now();
  }

  /** The entry becomes the newest. */
  set(key: string, value: Value): void {
    this.#dropExpired();
    this.#entries.delete(key);
    this.#entries.set(key, {
      value,
      expiresAt: this.#ttlMs === Infinity ? Infinity : this.#now() + this.#ttlMs,
    });
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
