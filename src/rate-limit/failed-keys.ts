import { setTimeout as wait } from 'node:timers/promises';

import { Problem } from '../problem.ts';
import { toAddressGroup } from './address-group.ts';

export interface FailedKeysOptions {
  /** Failures of an address in a window before it is slowed down, and reads that it may have at once. Default 30. */
  readonly failuresMax?: number;
  /** Begins with the first failure. Default 10 minutes. */
  readonly windowMs?: number;
  /** Records that all slowed addresses together may have read. Default 20 a second. */
  readonly readsPerSecond?: number;
  /** A caller who would have to wait longer for a read is refused. Default 1,000 ms. */
  readonly waitMsMax?: number;
  /** Addresses that are remembered. When there are more, all others count as slowed. Default 50,000. */
  readonly addressesMax?: number;
  /** Milliseconds that only go forward. Default `performance.now`. */
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

interface Window {
  failures: number;
  /** Reads under way: each may turn out to be a failure. */
  reads: number;
  /** Callers that wait until one of them has ended. There are at most as many as connections. */
  readonly waiting: { readonly since: number; readonly wake: () => void }[];
  readonly endsAt: number;
}

/**
 * Counts keys that fail, by the address of the caller. Beyond the limit no address is refused. Only reads of records
 * that are not cached wait in one line, and its pace bounds the cost of made-up keys for the storage.
 */
export class FailedKeys {
  readonly #options: Required<FailedKeysOptions>;
  /** In the order in which they end, because all windows have the same length. */
  readonly #windows = new Map<string, Window>();
  #nextReadAt = 0;

  constructor(options: FailedKeysOptions = {}) {
    this.#options = {
      failuresMax: 30,
      windowMs: 600_000,
      readsPerSecond: 20,
      waitMsMax: 1_000,
      addressesMax: 50_000,
      now: () => performance.now(),
      wait: (ms) => wait(ms),
      ...options,
    };
  }

  /** A failure for which no read was begun. */
  count(address: string): void {
    const window = this.#windowOf(toAddressGroup(address));
    if (window !== undefined) window.failures += 1;
  }

  /**
   * Resolves when this address may have a record read. Call the function that it resolves with once you know whether
   * the key fails.
   * @throws Problem `busy`
   */
  async beginRead(address: string): Promise<(hasFailed: boolean) => void> {
    const { failuresMax, waitMsMax, now } = this.#options;
    const group = toAddressGroup(address);
    const window = this.#windowOf(group);
    if (window === undefined) {
      await this.#waitInLine();
      return () => {};
    }
    const since = now();
    // Reads under way may all be for valid keys, such as those of a hosted builder after a start. They end soon.
    while (window.failures < failuresMax && window.failures + window.reads >= failuresMax) {
      if (now() - since >= waitMsMax) break;
      await new Promise<void>((wake) => window.waiting.push({ since, wake }));
    }
    if (window.failures + window.reads >= failuresMax) {
      await this.#waitInLine();
      return (hasFailed) => {
        if (hasFailed) window.failures += 1;
      };
    }
    window.reads += 1;
    return (hasFailed) => this.#endRead(group, window, hasFailed);
  }

  #endRead(group: string, window: Window, hasFailed: boolean): void {
    const { failuresMax, waitMsMax, now } = this.#options;
    window.reads -= 1;
    if (hasFailed) window.failures += 1;
    // When no reads are left, or no places for any, nobody would wake the waiting callers.
    const isLast = window.reads === 0 || window.failures >= failuresMax;
    let woken = isLast ? window.waiting.length : failuresMax - window.failures - window.reads;
    const late = now() - waitMsMax;
    while ((window.waiting[woken]?.since ?? Infinity) <= late) woken += 1;
    for (const { wake } of window.waiting.splice(0, woken)) wake();
    const isIdle = window.failures === 0 && window.reads === 0 && window.waiting.length === 0;
    if (isIdle && this.#windows.get(group) === window) this.#windows.delete(group);
  }

  async #waitInLine(): Promise<void> {
    const { now, readsPerSecond, waitMsMax } = this.#options;
    const at = now();
    const readAt = Math.max(at, this.#nextReadAt);
    if (readAt - at > waitMsMax) {
      throw new Problem('busy', {
        error: 'Too many unknown keys have been tried.',
        retryAfterSeconds: (readAt - at) / 1_000,
      });
    }
    this.#nextReadAt = readAt + 1_000 / readsPerSecond;
    if (readAt > at) await this.#options.wait(readAt - at);
  }

  /** undefined when there is no room for a further address. */
  #windowOf(group: string): Window | undefined {
    const now = this.#options.now();
    for (const [ended, window] of this.#windows) {
      if (window.endsAt > now) break;
      this.#windows.delete(ended);
    }
    let window = this.#windows.get(group);
    if (window === undefined && this.#windows.size < this.#options.addressesMax) {
      window = { failures: 0, reads: 0, waiting: [], endsAt: now + this.#options.windowMs };
      this.#windows.set(group, window);
    }
    return window;
  }
}
