import type { Timers } from '../../../src/members/gateway/timers.ts';

/** A clock that stands still until the test moves it. */
export class HandTimers implements Timers {
  static readonly #start = 1_767_225_600_000;
  #now = HandTimers.#start;
  /** How far the wall clock is ahead of the other one. */
  #wallAheadMs = 0;
  #onWait: (() => void) | null = null;
  #waiting: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now + this.#wallAheadMs;
  }

  monotonic(): number {
    return this.#now - HandTimers.#start;
  }

  after(delayMs: number, run: () => void): () => void {
    const entry = { at: this.#now + delayMs, run };
    this.#waiting.push(entry);
    this.#onWait?.();
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  /** Resolves when somebody waits for the clock. */
  waited(): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onWait = resolve;
    });
  }

  /** Time goes by and nothing runs: the process is stopped. What was waiting is late. */
  stop(ms: number): void {
    this.#now += ms;
  }

  /** The machine is suspended: only the wall clock goes on. */
  suspend(ms: number): void {
    this.#wallAheadMs += ms;
  }

  /** Moves the clock, and runs on the way what was waiting, each at its time. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = this.#waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#waiting = this.#waiting.filter((other) => other !== due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = until;
  }
}
