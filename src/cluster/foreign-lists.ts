import type { LargeIds } from '../large-value.ts';
import { CopiedIds, IdList } from '../members/index/id-list.ts';
import { tooManyQuestions } from './unavailable.ts';
import type { ListingHead } from './wire.ts';

/** Longer lists are counted, and their memory is used again. */
const SHORT_BYTES_MAX = 16 * 1024;
/** Of memory that waits for the next list. */
const FREE_BYTES_MAX = 16 * 2 ** 20;
/** Of all memory, what lists that nobody reads may take. */
const KEPT_SHARE = 1 / 4;
const PIECE_BYTES = 64 * 1024;
const ID_BYTES = BigUint64Array.BYTES_PER_ELEMENT;

/** A list of another process. */
export class ForeignList implements LargeIds {
  readonly question: string;
  readonly version: string;
  readonly idCount: number;
  readonly jsonByteLength: number;
  /** JSON, or numbers of 8 bytes. */
  readonly body: Buffer;
  readonly areNumbers: boolean;
  /** Callers who are reading it, and questions that have found it. */
  readers = 1;
  /** Others have its memory. */
  isGone = false;

  /** @throws Error when the ids are not as many as was announced */
  constructor(question: string, head: ListingHead, body: Buffer, areNumbers: boolean) {
    this.question = question;
    this.version = head.version;
    this.idCount = head.returned;
    this.jsonByteLength = head.jsonByteLength;
    this.body = body;
    this.areNumbers = areNumbers;
    if (body.length !== (areNumbers ? this.idCount * ID_BYTES : this.jsonByteLength)) {
      throw new Error('the owner has sent another number of ids than it announced');
    }
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.concat([...this.jsonBytes()]).toString('latin1'));
  }

  /** @throws Error when its caller was done before it was read to the end */
  *jsonBytes(room?: Uint8Array): Generator<Uint8Array> {
    for (const piece of this.areNumbers ? this.#toDigits(room) : this.#cut(room !== undefined)) {
      if (this.isGone) throw new Error('a list of another process is read too late');
      yield piece;
    }
  }

  #toDigits(room?: Uint8Array): Iterable<Uint8Array> {
    const ids = new BigUint64Array(this.body.buffer, this.body.byteOffset, this.idCount);
    return new IdList([new CopiedIds(ids, true)], this.jsonByteLength).jsonBytes(room);
  }

  *#cut(isBrief: boolean): Iterable<Uint8Array> {
    for (let at = 0; at < this.body.length; at += PIECE_BYTES) {
      const piece = this.body.subarray(at, at + PIECE_BYTES);
      yield isBrief ? piece : Buffer.from(piece);
    }
  }
}

/** The long lists of other processes that are being read here, and those that were asked for repeatedly. */
export class ForeignLists {
  readonly #bytesMax: number;
  /** Of each question the last list that came as JSON, in the order in which they were asked for. */
  readonly #lists = new Map<string, ForeignList>();
  #free: Buffer[] = [];
  #bytes = 0;

  /** @param bytesMax of all lists together; a single one may be larger */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Of lists that are coming, are being read or are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The last list that came for a question, if it is still here. It stays until `leave`. */
  find(question: string): ForeignList | null {
    const list = this.#lists.get(question);
    if (list === undefined) return null;
    this.#lists.delete(question);
    this.#lists.set(question, list);
    return this.hold(list);
  }

  hold(list: ForeignList): ForeignList {
    list.readers += 1;
    return list;
  }

  /**
   * Room for a list that is about to come, for `add` or `giveBack`.
   * @throws Problem `busy`
   */
  makeRoom(bytes: number): Buffer {
    if (bytes <= SHORT_BYTES_MAX) return Buffer.allocUnsafe(bytes);
    const size = sizeOf(bytes);
    for (const list of this.#lists.values()) {
      if (this.#bytes + size <= this.#bytesMax * KEPT_SHARE) break;
      if (list.readers === 0) this.#drop(list);
    }
    if (this.#bytes > 0 && this.#bytes + size > this.#bytesMax) throw tooManyQuestions();
    this.#bytes += size;
    const room = this.#free.find(({ length }) => length === size) ?? Buffer.allocUnsafeSlow(size);
    this.#free = this.#free.filter((free) => free !== room);
    return room.subarray(0, bytes);
  }

  giveBack({ length, buffer }: Buffer): void {
    if (length <= SHORT_BYTES_MAX) return;
    this.#bytes -= buffer.byteLength;
    this.#free.unshift(Buffer.from(buffer));
    let bytes = 0;
    this.#free = this.#free.filter((room) => (bytes += room.length) <= FREE_BYTES_MAX);
  }

  /** A list that has come. It stays until `leave`. Where the same one is here already, all read that one. */
  add(question: string, head: ListingHead, body: Buffer, areNumbers: boolean): ForeignList {
    const list = new ForeignList(question, head, body, areNumbers);
    const last = this.#lists.get(question);
    if (last?.version === list.version) {
      this.giveBack(body);
      return this.hold(last);
    }
    this.#lists.delete(question);
    // Owners send JSON of what they are asked for repeatedly.
    if (!areNumbers && body.length > SHORT_BYTES_MAX) this.#lists.set(question, list);
    if (last?.readers === 0) this.#drop(last);
    return list;
  }

  /** Holds a list until this caller is done. */
  read(list: ForeignList, signal: AbortSignal): void {
    this.hold(list);
    signal.addEventListener('abort', () => this.leave(list), { once: true });
  }

  leave(list: ForeignList): void {
    list.readers -= 1;
    if (list.readers === 0 && this.#lists.get(list.question) !== list) this.#drop(list);
  }

  #drop(list: ForeignList): void {
    if (this.#lists.get(list.question) === list) this.#lists.delete(list.question);
    list.isGone = true;
    this.giveBack(list.body);
  }
}

/** One of eight steps to the next power of two, so that the memory of a list often fits for another one. */
function sizeOf(bytes: number): number {
  const step = 2 ** (Math.ceil(Math.log2(bytes)) - 3);
  return Math.ceil(bytes / step) * step;
}
