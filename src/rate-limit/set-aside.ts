/** How long a process keeps requests that it has set aside, in milliseconds. */
export const ASIDE_MS = 10;
/** Given back later than this before the end of their window, requests might be missing from the next one. */
const BACK_MS_MIN = 1_000;

/** What Redis has said about a window. */
export interface CountedWindow {
  /** Its requests, and those that processes have set aside. */
  readonly used: number;
  readonly endsAt: number;
}

/** Of the requests that were set aside: how many are so no longer, and how many of these were not used. */
export interface Settlement {
  readonly settled: number;
  readonly unused: number;
}

/** A window with a request in this period of `ASIDE_MS` or the one before. */
interface BusyWindow extends CountedWindow {
  /** Requests of this period, and of the one before. */
  taken: number;
  takenBefore: number;
  aside: number;
  /** Of those that are set aside. */
  unused: number;
}

/**
 * Requests that this process has counted in Redis in advance, so that they pass without asking again. Times are
 * milliseconds that only go forward.
 */
export class SetAside {
  /** Those of the last two periods, and those that end soon. */
  readonly #windows = new Map<string, BusyWindow>();
  #settlements = new Map<string, Settlement>();

  get size(): number {
    return this.#windows.size;
  }

  get hasSettlements(): boolean {
    return this.#settlements.size > 0;
  }

  /** Uses one request that was set aside; null if there is none. */
  use(key: string, now: number): CountedWindow | null {
    const window = this.#windows.get(key);
    if (window === undefined || window.unused === 0 || now >= window.endsAt) return null;
    window.unused -= 1;
    window.taken += 1;
    return { used: window.used - window.unused, endsAt: window.endsAt };
  }

  /** How many to set aside beside requests that Redis is asked for: as many as came lately, so none the first time. */
  ask(key: string, requests: number): number {
    const window = this.#windows.get(key);
    if (window === undefined) return 0;
    this.#settle(key, window);
    window.taken += requests;
    return window.taken + window.takenBefore;
  }

  /** @param aside how many were set aside */
  counted(key: string, { used, endsAt }: CountedWindow, aside: number): void {
    const { taken = 1, takenBefore = 0 } = this.#windows.get(key) ?? {};
    this.#windows.set(key, { used, endsAt, taken, takenBefore, aside, unused: aside });
  }

  /** Ends a period: nothing stays set aside. */
  endPeriod(now: number): void {
    for (const [key, window] of this.#windows) {
      const leftMs = window.endsAt - now;
      if (leftMs >= BACK_MS_MIN) this.#settle(key, window);
      if (leftMs <= 0 || (window.taken === 0 && window.aside === 0)) this.#windows.delete(key);
      window.takenBefore = window.taken;
      window.taken = 0;
    }
  }

  /** What Redis has to be told with the next call. */
  takeSettlements(): ReadonlyMap<string, Settlement> {
    const settlements = this.#settlements;
    this.#settlements = new Map();
    return settlements;
  }

  #settle(key: string, window: BusyWindow): void {
    if (window.aside === 0) return;
    const { settled, unused } = this.#settlements.get(key) ?? { settled: 0, unused: 0 };
    this.#settlements.set(key, { settled: settled + window.aside, unused: unused + window.unused });
    window.aside = 0;
    window.unused = 0;
  }
}
