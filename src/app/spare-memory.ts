export interface SpareMemoryOptions {
  /** Gives memory that is not used back to the machine. */
  readonly collect: () => void;
  /** Bytes that V8 holds and does not use. */
  readonly spareBytes: () => number;
  /** The share of the time since the last call in which the process was at work. */
  readonly busyShare: () => number;
}

/** Until the first look, and from then on between two looks. Each collection doubles it, up to the longest. */
const LOOK_MS = 2_000;
const LOOK_MS_MAX = 300_000;
/** Less is not worth the pause, which is as long as a few full collections: about 40 ms after a start. */
const SPARE_BYTES_MIN = 8 * 1024 * 1024;
/** More, and somebody would wait for an answer. */
const BUSY_SHARE_MAX = 0.05;

/**
 * A start, the reading of member lists and every rush leave V8 with memory that it keeps for the next time. It is given
 * back while there is nothing to do.
 */
export class SpareMemory {
  readonly #options: SpareMemoryOptions;
  #waitMs = LOOK_MS;

  constructor(options: SpareMemoryOptions) {
    this.#options = options;
  }

  /** @returns milliseconds until the next look */
  look(): number {
    const isBusy = this.#options.busyShare() > BUSY_SHARE_MAX;
    if (!isBusy && this.#options.spareBytes() >= SPARE_BYTES_MIN) {
      this.#options.collect();
      this.#waitMs = Math.min(this.#waitMs * 2, LOOK_MS_MAX);
    }
    return this.#waitMs;
  }
}

/** Looks for spare memory as long as the process runs. Without `--expose-gc` it does nothing. */
export function giveBackSpareMemory(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  let before = performance.eventLoopUtilization();
  const memory = new SpareMemory({
    // Other flavors keep memory for the next rush.
    collect: () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
    spareBytes() {
      const { total_heap_size: held, used_heap_size: used } = process
        .getBuiltinModule('node:v8')
        .getHeapStatistics();
      return held - used;
    },
    busyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
  });
  const look = () => wait(memory.look());
  const wait = (ms: number) => setTimeout(look, ms).unref();
  wait(LOOK_MS);
}
