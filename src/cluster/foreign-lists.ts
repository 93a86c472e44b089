import { BoundedMap } from '../bounded-map.ts';
import type { LargeIds } from '../large-value.ts';
import { PageCache } from '../members/index/page-cache.ts';
import type { RoleListing } from '../members/member-directory.ts';
import { tooManyQuestions } from './unavailable.ts';

/** A list of another process. */
export interface ForeignList {
  /** Its version and its question. */
  readonly name: string;
  readonly ids: LargeIds;
  /** As callers get it. */
  readonly members: LargeIds;
  /** What it holds in memory; 0 for what is too short to be counted. */
  readonly bytes: number;
  /** Callers who are reading it. */
  readers: number;
}

/** A list that another process need not send again while its version stays. */
export type KnownList = Pick<ForeignList, 'ids' | 'bytes'> & { readonly version: string };

/** Longer lists are counted. */
const SHORT_BYTES_MAX = 16 * 1024;
/** Questions whose last version is known; their bytes are bounded by PageCache and by `bytesMax`. */
const VERSIONS_MAX = 1_000;

/** The lists of other processes that are being read here, and the JSON of those that were asked for repeatedly. */
export class ForeignLists {
  readonly #bytesMax: number;
  readonly #pages = new PageCache();
  /** Of a question the version that came last, in the order in which they came. */
  readonly #versions = new BoundedMap<string>({ entriesMax: VERSIONS_MAX });
  readonly #read = new Map<string, ForeignList>();
  #bytes = 0;

  /** @param bytesMax of all that are being read; a single one may be larger */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Of lists that are being received or read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param key the question */
  known(key: string): KnownList | null {
    const version = this.#versions.get(key);
    if (version === undefined) return null;
    const kept = this.#pages.kept(version + key);
    if (kept !== null) return { version, ids: kept.members, bytes: 0 };
    const read = this.#read.get(version + key);
    return read === undefined ? null : { version, ids: read.ids, bytes: read.bytes };
  }

  /**
   * Makes room for a list that is about to come, until `giveBack`.
   * @returns the bytes that count
   * @throws Problem `busy`
   */
  reserve(bytes: number): number {
    if (bytes <= SHORT_BYTES_MAX) return 0;
    if (this.#bytes > 0 && this.#bytes + bytes > this.#bytesMax) throw tooManyQuestions();
    this.#bytes += bytes;
    return bytes;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** A list that has come. Where the same one is being read already, all read that one. */
  add(
    key: string,
    { version, nextAfter }: Pick<RoleListing, 'version' | 'nextAfter'>,
    { ids, bytes }: Pick<ForeignList, 'ids' | 'bytes'>,
  ): ForeignList {
    const name = version + key;
    this.#versions.set(key, version);
    const list = this.#read.get(name) ?? { name, ids, bytes };
    const { members } = this.#pages.get(name, () => ({ ids: list.ids, nextAfter }));
    return { ...list, members, readers: 0 };
  }

  /** Counts a list until this caller is done. */
  read(list: ForeignList, signal: AbortSignal): void {
    if (list.bytes === 0) return;
    const read = this.#read.get(list.name) ?? list;
    if (read.readers === 0) {
      this.#read.set(read.name, read);
      this.#bytes += read.bytes;
    }
    read.readers += 1;
    const leave = () => {
      read.readers -= 1;
      if (read.readers > 0) return;
      this.#read.delete(read.name);
      this.#bytes -= read.bytes;
    };
    signal.addEventListener('abort', leave, { once: true });
  }
}
