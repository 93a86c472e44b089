import type { ReceivedIds } from './received-ids.ts';

export interface KeptList {
  readonly version: string;
  readonly members: ReceivedIds;
}

/**
 * Long lists of other processes, so that one that has not changed need not come again. Whether it has is asked each
 * time. Bounded by bytes; what was not asked for longest goes first.
 */
export class KeptLists {
  readonly #bytesMax: number;
  /** In the order of last use. */
  readonly #lists = new Map<string, KeptList>();
  #bytes = 0;

  /** @param bytesMax of all lists together, of which one takes a quarter at most */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get byteLength(): number {
    return this.#bytes;
  }

  get(key: string): KeptList | null {
    const kept = this.#lists.get(key);
    if (kept === undefined) return null;
    this.#lists.delete(key);
    this.#lists.set(key, kept);
    return kept;
  }

  set(key: string, list: KeptList): void {
    const bytes = list.members.jsonByteLength;
    this.#drop(key);
    if (bytes > this.#bytesMax / 4) return;
    this.#lists.set(key, list);
    this.#bytes += bytes;
    for (const oldest of this.#lists.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const list = this.#lists.get(key);
    if (list === undefined) return;
    this.#lists.delete(key);
    this.#bytes -= list.members.jsonByteLength;
  }
}
