import type { LargeIds } from '../large-value.ts';

/** Ids as another process has written them: a JSON array of strings. */
export class ReceivedIds implements LargeIds {
  readonly #pieces: readonly Uint8Array[];
  readonly idCount: number;
  readonly jsonByteLength: number;

  constructor(pieces: readonly Uint8Array[], idCount: number) {
    this.#pieces = pieces;
    this.idCount = idCount;
    this.jsonByteLength = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.concat(this.#pieces).toString('latin1'));
  }

  jsonBytes(): Iterable<Uint8Array> {
    return this.#pieces;
  }
}

interface ForeignList {
  readonly version: string;
  readonly ids: ReceivedIds;
  readers: number;
}

/**
 * Long lists of other processes: those that callers here are reading, and, as room allows, those that were read last,
 * so that one that has not changed need not come again. Whether it has is asked each time. All of them together are
 * bounded by bytes.
 */
export class ForeignLists {
  readonly #bytesMax: number;
  /** The list that is known of a question, in the order of last use. */
  readonly #known = new Map<string, ForeignList>();
  #bytes = 0;

  /** @param bytesMax a single list may be larger */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get byteLength(): number {
    return this.#bytes;
  }

  /** The version of the list that is known of a question, or null. */
  versionOf(key: string): string | null {
    return this.#known.get(key)?.version ?? null;
  }

  /** Makes room for a list that is about to come; false when callers read too many. Undone by `giveBack`. */
  reserve(bytes: number): boolean {
    for (const [key, { readers }] of this.#known) {
      if (this.#bytes + bytes <= this.#bytesMax) break;
      if (readers === 0) this.#forget(key);
    }
    if (this.#bytes > 0 && this.#bytes + bytes > this.#bytesMax) return false;
    this.#bytes += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Takes a list for which there is room. */
  add(key: string, version: string, ids: ReceivedIds): void {
    this.#forget(key);
    this.#known.set(key, { version, ids, readers: 0 });
  }

  /**
   * The list that is known of a question, for one caller, if it has this version.
   * @param signal aborts when the caller is done
   */
  read(key: string, version: string, signal: AbortSignal): ReceivedIds | null {
    const list = this.#known.get(key);
    if (list?.version !== version) return null;
    this.#known.delete(key);
    this.#known.set(key, list);
    list.readers += 1;
    const release = () => {
      list.readers -= 1;
      if (list.readers === 0 && this.#known.get(key) !== list) this.#bytes -= list.ids.jsonByteLength;
    };
    signal.addEventListener('abort', release, { once: true });
    return list.ids;
  }

  /** While callers read it, it goes on to count. */
  #forget(key: string): void {
    const list = this.#known.get(key);
    if (list === undefined) return;
    this.#known.delete(key);
    if (list.readers === 0) this.#bytes -= list.ids.jsonByteLength;
  }
}
