/** Counts the events of the last `windowMs`. Remembers at most `eventsMax` of them, the newest. */
export class RecentEvents {
  readonly #instants: number[] = [];
  readonly #windowMs: number;
  readonly #eventsMax: number;
  readonly #now: () => number;

  constructor(options: { windowMs: number; eventsMax: number; now: () => number }) {
    this.#windowMs = options.windowMs;
    this.#eventsMax = options.eventsMax;
    this.#now = options.now;
  }

  record(): void {
    this.#instants.push(this.#now());
    if (this.#instants.length > this.#eventsMax) this.#instants.shift();
  }

  get count(): number {
    const from = this.#now() - this.#windowMs;
    const first = this.#instants.findIndex((instant) => instant > from);
    this.#instants.splice(0, first === -1 ? this.#instants.length : first);
    return this.#instants.length;
  }

  /** Milliseconds until there are fewer than `limit` again, if nothing more happens. */
  msUntilBelow(limit: number): number {
    const blocking = this.#instants[this.count - limit];
    return blocking === undefined ? 0 : blocking + this.#windowMs - this.#now();
  }
}
