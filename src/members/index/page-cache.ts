import type { LargeIds } from '../../large-value.ts';
import { ID_JSON_BYTES_MAX } from './id-digits.ts';

const SHORT_IDS = 200;
/** Also bounds how long the search for the oldest one takes. */
const PAGES_MAX = 1_000;
/** Key, page and buffer beside the bytes themselves. */
const ENTRY_BYTES = 400;

/** A page as an answer needs it. */
export interface Page {
  readonly members: LargeIds;
  /** Ids in `members`. */
  readonly returned: number;
  /** The last id when more follow. */
  readonly nextAfter: string | null;
}

/**
 * Keeps pages that were asked for twice and whose JSON was written whole, so that the next caller gets the same
 * bytes. Most pages are asked for once: to keep those would drive out the others. Bounded by bytes; what was not asked
 * for longest goes first.
 */
export class PageCache {
  readonly #bytesMax: number;
  /** In the order of last use. */
  readonly #pages = new Map<string, { readonly page: Page; readonly bytes: number }>();
  #bytes = 0;
  /** Keys of pages that were asked for once, oldest first. */
  readonly #once = new Set<string>();

  /** @param bytesMax of all pages together, of which one takes a quarter at most; default 32 MiB, 0 keeps nothing */
  constructor(bytesMax = 32 * 2 ** 20) {
    this.#bytesMax = bytesMax;
  }

  get byteLength(): number {
    return this.#bytes;
  }

  /** @param key names these very bytes: the guild, a slash, then the version of what the page shows and the question */
  get(key: string, make: () => { readonly ids: LargeIds; readonly nextAfter: string | null }): Page {
    const kept = this.#pages.get(key);
    if (kept !== undefined) {
      this.#pages.delete(key);
      this.#pages.set(key, kept);
      return kept.page;
    }
    const { ids, nextAfter } = make();
    const page = { members: ids, returned: ids.idCount, nextAfter };
    // A short page is made as fast as it is looked up, and a long one would drive out most others.
    if (ids.idCount < SHORT_IDS || ids.idCount * ID_JSON_BYTES_MAX > this.#bytesMax / 4) return page;
    if (!this.#once.delete(key)) {
      this.#once.add(key);
      for (const oldest of this.#once) {
        if (this.#once.size <= PAGES_MAX) break;
        this.#once.delete(oldest);
      }
      return page;
    }
    const onWritten = (pieces: readonly Uint8Array[]) =>
      this.#keep(key, { ...page, members: new WrittenIds(pieces, page.returned) });
    return { ...page, members: new WatchedIds(ids, onWritten) };
  }

  /** Drops the pages of a guild that is not ours any more. */
  forget(guildId: string): void {
    for (const [key, { bytes }] of this.#pages) {
      if (!key.startsWith(`${guildId}/`)) continue;
      this.#pages.delete(key);
      this.#bytes -= bytes;
    }
  }

  #keep(key: string, page: Page): void {
    if (this.#pages.has(key)) return;
    const bytes = page.members.jsonByteLength + ENTRY_BYTES;
    this.#pages.set(key, { page, bytes });
    this.#bytes += bytes;
    for (const [oldKey, old] of this.#pages) {
      if (this.#bytes <= this.#bytesMax && this.#pages.size <= PAGES_MAX) return;
      this.#pages.delete(oldKey);
      this.#bytes -= old.bytes;
    }
  }
}

/** Ids whose bytes are known. */
class WrittenIds implements LargeIds {
  readonly #pieces: readonly Uint8Array[];
  readonly idCount: number;
  readonly jsonByteLength: number;

  constructor(pieces: readonly Uint8Array[], idCount: number) {
    this.idCount = idCount;
    // Short pieces share a slab with others: one of them would keep the whole slab in memory.
    this.#pieces = pieces.map((piece) => (piece.byteLength < 4_096 ? Uint8Array.from(piece) : piece));
    this.jsonByteLength = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.concat(this.#pieces).toString());
  }

  jsonBytes(): Iterable<Uint8Array> {
    return this.#pieces;
  }
}

/** Ids that hand over their bytes once they have been written to the end. */
class WatchedIds implements LargeIds {
  readonly #ids: LargeIds;
  readonly #onWritten: (pieces: readonly Uint8Array[]) => void;

  constructor(ids: LargeIds, onWritten: (pieces: readonly Uint8Array[]) => void) {
    this.#ids = ids;
    this.#onWritten = onWritten;
  }

  get idCount(): number {
    return this.#ids.idCount;
  }

  get jsonByteLength(): number {
    return this.#ids.jsonByteLength;
  }

  toJSON(): unknown {
    return this.#ids.toJSON();
  }

  *jsonBytes(): Generator<Uint8Array> {
    const written: Uint8Array[] = [];
    for (const piece of this.#ids.jsonBytes()) {
      written.push(piece);
      yield piece;
    }
    this.#onWritten(written);
  }
}
