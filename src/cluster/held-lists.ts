import type { ReceivedIds } from './received-ids.ts';

interface Holding {
  holders: number;
}

/** Lists of other processes that callers here are reading: each counts once, however many read it. */
export class HeldLists {
  readonly #lists = new Map<ReceivedIds, Holding>();
  readonly #idleMs: number;
  #bytes = 0;

  /** @param idleMs after which a caller counts as done that does not say so */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  get byteLength(): number {
    return this.#bytes;
  }

  /**
   * @param signal aborts when the caller is done
   * @returns lets it go before that
   */
  hold(list: ReceivedIds, signal: AbortSignal): () => void {
    const holding = this.#lists.get(list) ?? { holders: 0 };
    if (holding.holders === 0) {
      this.#lists.set(list, holding);
      this.#bytes += list.jsonByteLength;
    }
    holding.holders += 1;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      signal.removeEventListener('abort', release);
      holding.holders -= 1;
      if (holding.holders > 0) return;
      this.#lists.delete(list);
      this.#bytes -= list.jsonByteLength;
    };
    const timer = setTimeout(release, this.#idleMs).unref();
    signal.addEventListener('abort', release);
    return release;
  }
}
