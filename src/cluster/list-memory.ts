import { FairSemaphore, type Claim } from '../kernel/fair-semaphore.ts';
import { Problem } from '../kernel/problem.ts';

export interface ListMemoryLimits {
  /** Memory for long lists from other processes, held from the question until the caller is done. */
  readonly heldBytesMax: number;
  /**
   * Bytes of long lists that may be on their way concurrently. Redis buffers them for a process that reads slowly, and
   * drops its connection at 32 MB, or at 8 MB for a minute.
   */
  readonly comingBytesMax: number;
  /** Bytes of one list. A list that needs more than `comingBytesMax` comes alone. */
  readonly listBytesMax: number;
}

export interface ListReservation {
  /** Call it when the list has arrived, or will not. */
  readonly arrived: () => void;
  /** Call it when the list is no longer needed. */
  readonly release: () => void;
}

interface List extends Claim {
  readonly bytes: number;
}

/** Memory for long lists from other processes. */
export class ListMemory {
  readonly #listBytesMax: number;
  readonly #held: FairSemaphore<List>;
  readonly #coming: FairSemaphore<List>;

  constructor({ heldBytesMax, comingBytesMax, listBytesMax }: ListMemoryLimits) {
    this.#listBytesMax = listBytesMax;
    this.#held = new FairSemaphore({
      hasCapacity: (others, _list, bytes) => others.weight + bytes <= heldBytesMax,
    });
    this.#coming = new FairSemaphore({
      hasCapacity: (others, { bytes }) => others.size === 0 || bytesOf(others) + bytes <= comingBytesMax,
      // The limit of open questions bounds this queue.
      queue: { hasCapacity: () => true, refusal: busy },
    });
  }

  get heldBytes(): number {
    return this.#held.held.weight;
  }

  /**
   * Reserves memory for a list, and resolves when the list may come.
   * @param tenantId whose lists share the memory with those of others
   * @param endsAt on the clock of `performance.now()`
   * @throws Problem `busy`, or the signal's reason
   */
  async take(tenantId: string, bytes: number, endsAt: number, signal: AbortSignal): Promise<ListReservation> {
    if (bytes > this.#listBytesMax) {
      throw new Problem('busy/list', { field: 'limit', retryAfterSeconds: 1 });
    }
    signal.throwIfAborted();
    const list = { tenant: tenantId, bytes };
    if (!this.#held.tryAcquire(list, bytes)) throw busy();
    const late = AbortSignal.timeout(Math.max(0, Math.floor(endsAt - performance.now())));
    try {
      await this.#coming.acquire(list, AbortSignal.any([signal, late]));
    } catch (error) {
      this.#held.release(list);
      throw late.aborted && !signal.aborted ? busy() : error;
    }
    return {
      arrived: () => this.#coming.release(list),
      release: () => this.#held.release(list),
    };
  }
}

function bytesOf(lists: Iterable<List>): number {
  let sum = 0;
  for (const { bytes } of lists) sum += bytes;
  return sum;
}

function busy(): Problem {
  return new Problem('busy', { retryAfterSeconds: 1 });
}
