import { setTimeout as wait } from 'node:timers/promises';

import { FairSemaphore, type Claim } from '../kernel/fair-semaphore.ts';
import { Problem } from '../kernel/problem.ts';
import { toAddressGroup } from './address-group.ts';

export interface FailedKeysOptions {
  /**
   * Failures in a window after which an address is slowed down, and concurrent reads of an address. Default 30, more than
   * a person mistypes.
   */
  readonly failuresMax?: number;
  /** A window begins with the first failure. Default 10 minutes. */
  readonly windowMs?: number;
  /** Records that all slowed addresses together may have read. Default 20 a second, few for any storage. */
  readonly readsPerSecond?: number;
  /** Refuses callers that would have to wait longer for a read. Default 1,000 ms. */
  readonly waitMsMax?: number;
  /** Addresses in memory, 130 bytes each. Any others count as slowed down. Default 50,000. */
  readonly addressesMax?: number;
  /** Milliseconds that only go forward. Default `performance.now`. */
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

interface Window {
  failures: number;
  readonly endsAt: number;
}

interface Read extends Claim {
  readonly window: Window;
}

const NEVER_ABORTED = new AbortController().signal;

/**
 * Counts keys that fail, by the caller's address. An address beyond the limit is not refused, but its reads of uncached
 * records wait in one queue for all, whose rate limits the load of invented keys on the storage.
 */
export class FailedKeys {
  readonly #options: Required<FailedKeysOptions>;
  /** In the order in which they end, because all windows have the same length. */
  readonly #windows = new Map<string, Window>();
  /** Reads under way: each may turn out to be a failure. */
  readonly #reads: FairSemaphore<Read>;
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
    const { failuresMax, waitMsMax } = this.#options;
    this.#reads = new FairSemaphore({
      hasCapacity: (reads, { tenant, window }) =>
        window.failures + reads.of(tenant).claims.size < failuresMax,
      queue: {
        // There are never more than there are connections.
        hasCapacity: () => true,
        timeoutMs: waitMsMax,
        refusal: () => new Error('no slot for a read'),
      },
    });
  }

  /** Counts a failure without a read. */
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
    const group = toAddressGroup(address);
    const window = this.#windowOf(group);
    const read = window === undefined ? null : await this.#findSlot(group, window);
    if (read !== null) return (hasFailed: boolean) => this.#endRead(read, hasFailed);
    await this.#waitInLine();
    return (hasFailed) => {
      if (hasFailed && window !== undefined) window.failures += 1;
    };
  }

  /**
   * All reads in progress may be for valid keys, such as those of a hosted builder after a start. They end soon.
   * @returns null when the address has no free slot and has to wait in the queue
   */
  async #findSlot(tenant: string, window: Window): Promise<Read | null> {
    if (window.failures >= this.#options.failuresMax) return null;
    const read = { tenant, window };
    try {
      await this.#reads.acquire(read, NEVER_ABORTED);
      return read;
    } catch {
      return null;
    }
  }

  #endRead(read: Read, hasFailed: boolean): void {
    const { tenant, window } = read;
    if (hasFailed) window.failures += 1;
    this.#reads.release(read);
    // No more slots will become free for them.
    if (window.failures >= this.#options.failuresMax) this.#reads.refuse(tenant);
    const isIdle = window.failures === 0 && this.#reads.held.of(tenant).claims.size === 0;
    if (isIdle && this.#windows.get(tenant) === window) this.#windows.delete(tenant);
  }

  async #waitInLine(): Promise<void> {
    const { now, readsPerSecond, waitMsMax } = this.#options;
    const at = now();
    const readAt = Math.max(at, this.#nextReadAt);
    if (readAt - at > waitMsMax) {
      throw new Problem('busy/keys', { retryAfterSeconds: (readAt - at) / 1_000 });
    }
    this.#nextReadAt = readAt + 1_000 / readsPerSecond;
    if (readAt > at) await this.#options.wait(readAt - at);
  }

  /** undefined when too many addresses are remembered. */
  #windowOf(group: string): Window | undefined {
    const now = this.#options.now();
    for (const [ended, window] of this.#windows) {
      if (window.endsAt > now) break;
      this.#windows.delete(ended);
    }
    let window = this.#windows.get(group);
    if (window === undefined && this.#windows.size < this.#options.addressesMax) {
      window = { failures: 0, endsAt: now + this.#options.windowMs };
      this.#windows.set(group, window);
    }
    return window;
  }
}
