import { listTooLong, tooManyQuestions } from './unavailable.ts';

export interface ListRoomLimits {
  /** Memory for long lists from other processes, held from the question until the caller is done. */
  readonly heldBytesMax: number;
  /**
   * Bytes of long lists that may be on their way at once. Redis buffers them for a process that reads slowly, and drops
   * its connection at 32 MB, or at 8 MB for a minute.
   */
  readonly comingBytesMax: number;
  /** Bytes of one list. A list that needs more than `comingBytesMax` comes alone. */
  readonly listBytesMax: number;
}

export interface Room {
  /** Call it when the list is there, or will not come. */
  readonly arrived: () => void;
  /** Call it when nobody needs the list any more. */
  readonly giveBack: () => void;
}

interface Waiter {
  readonly bytes: number;
  readonly admit: () => void;
}

/** Room for long lists from other processes. They come in the order in which they were asked for. */
export class ListRoom {
  readonly #limits: ListRoomLimits;
  /** In the order in which they will come. */
  readonly #waiting = new Set<Waiter>();
  #heldBytes = 0;
  #comingBytes = 0;

  constructor(limits: ListRoomLimits) {
    this.#limits = limits;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Reserves room for a list, and resolves when the list may come.
   * @param endsAt on the clock of `performance.now()`
   * @throws Problem `busy`, or the signal's reason
   */
  async take(bytes: number, endsAt: number, signal: AbortSignal): Promise<Room> {
    const { heldBytesMax, listBytesMax } = this.#limits;
    if (bytes > listBytesMax) throw listTooLong();
    signal.throwIfAborted();
    if (this.#heldBytes + bytes > heldBytesMax) throw tooManyQuestions();
    this.#heldBytes += bytes;
    const giveBack = once(() => (this.#heldBytes -= bytes));
    const turn = Promise.withResolvers<void>();
    const waiter: Waiter = { bytes, admit: turn.resolve };
    const leave = (reason: unknown) => {
      // A waiter that was admitted gives its turn back when the list has arrived.
      if (!this.#waiting.delete(waiter)) return;
      giveBack();
      turn.reject(reason);
      this.#admit();
    };
    const timer = setTimeout(() => leave(tooManyQuestions()), Math.max(0, endsAt - performance.now()));
    const onAbort = () => leave(signal.reason);
    signal.addEventListener('abort', onAbort);
    this.#waiting.add(waiter);
    this.#admit();
    await turn.promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
    return {
      giveBack,
      arrived: once(() => {
        this.#comingBytes -= bytes;
        this.#admit();
      }),
    };
  }

  #admit(): void {
    for (const waiter of this.#waiting) {
      const { bytes, admit } = waiter;
      if (this.#comingBytes > 0 && this.#comingBytes + bytes > this.#limits.comingBytesMax) return;
      this.#waiting.delete(waiter);
      this.#comingBytes += bytes;
      admit();
    }
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
