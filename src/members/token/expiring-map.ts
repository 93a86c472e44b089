export interface ExpiringMapOptions {
  /** Milliseconds that an entry lives after it was set. */
  readonly ttlMs: number;
  /** Beyond it the oldest entry goes. */
  readonly entriesMax: number;
  readonly now: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

/** A bounded map that forgets. All entries live equally long, so insertion order is the order of expiry. */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #options: ExpiringMapOptions;

  constructor(options: ExpiringMapOptions) {
    this.#options = options;
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
    return oldest.done ? 0 : oldest.value.expiresAt - this.#options.now();
  }

  /** Begins the life of the entry anew. */
  set(key: string, value: Value): void {
    this.#dropExpired();
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAt: this.#options.now() + this.#options.ttlMs });
    if (this.#entries.size > this.#options.entriesMax) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  #dropExpired(): void {
    const now = this.#options.now();
    for (const [key, entry] of this.#entries) {
      if (entry.expiresAt > now) return;
      this.#entries.delete(key);
    }
  }
}
