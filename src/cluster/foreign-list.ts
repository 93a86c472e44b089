import type { LargeIds } from '../large-value.ts';
import { IdList } from '../members/index/id-list.ts';
import { tooManyQuestions } from './unavailable.ts';
import type { ListingHead } from './wire.ts';

/** Lists up to this size have memory of their own, which is not counted. */
const SHORT_BYTES_MAX = 16 * 1024;
/** Longer ones are cut into blocks, so that the memory of each fits for any other. */
const BLOCK_BYTES = 64 * 1024;
/** Blocks kept for the next list: 16 MiB. */
const FREE_BLOCKS_MAX = 256;
const ID_BYTES = BigUint64Array.BYTES_PER_ELEMENT;

/** Reusable memory for lists from other processes. */
export class ListMemory {
  readonly #bytesMax: number;
  readonly #free: Buffer[] = [];
  #taken = 0;

  /** @param bytesMax of all long lists together; a single one may be larger */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Taken by long lists that are arriving or being read. */
  get bytes(): number {
    return this.#taken * BLOCK_BYTES;
  }

  /**
   * Reserves room for a list that is about to arrive.
   * @throws Problem `busy`
   */
  take(bytes: number): ForeignList {
    if (bytes <= SHORT_BYTES_MAX) return new ForeignList(bytes, [Buffer.allocUnsafe(bytes)]);
    const count = Math.ceil(bytes / BLOCK_BYTES);
    if (this.#taken > 0 && this.bytes + count * BLOCK_BYTES > this.#bytesMax) throw tooManyQuestions();
    this.#taken += count;
    const blocks = Array.from(
      { length: count },
      () => this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES),
    );
    return new ForeignList(bytes, blocks);
  }

  giveBack(list: ForeignList): void {
    if (list.isGone || list.bytes <= SHORT_BYTES_MAX) return;
    list.isGone = true;
    this.#taken -= list.blocks.length;
    this.#free.push(...list.blocks.slice(0, FREE_BLOCKS_MAX - this.#free.length));
  }
}

/** A list from another process, complete or still arriving. */
export class ForeignList implements LargeIds {
  readonly bytes: number;
  readonly blocks: readonly Buffer[];
  #filled = 0;
  /** Its memory was given back, and another list may be using it. */
  isGone = false;
  idCount = 0;
  jsonByteLength = 0;
  /** The ids are numbers of 8 bytes; otherwise the list is JSON. */
  #areNumbers = false;

  constructor(bytes: number, blocks: readonly Buffer[]) {
    this.bytes = bytes;
    this.blocks = blocks;
  }

  add(piece: Buffer): void {
    // A list that is longer than announced can never be completed.
    if (this.#filled + piece.length > this.bytes) this.#filled = Infinity;
    for (let from = 0; from < piece.length && this.#filled < this.bytes;) {
      const block = this.blocks[Math.floor(this.#filled / BLOCK_BYTES)] ?? piece;
      const copied = piece.copy(block, this.#filled % BLOCK_BYTES, from);
      from += copied;
      this.#filled += copied;
    }
  }

  /** The body as text, for answers that are not a list. */
  text(): string {
    return Buffer.concat(this.#pieces()).toString();
  }

  /**
   * Marks the list as complete.
   * @throws Error when the number of ids is not the one that was announced
   */
  complete({ returned, jsonByteLength }: ListingHead, areNumbers: boolean): this {
    if (this.#filled !== (areNumbers ? returned * ID_BYTES : jsonByteLength)) {
      throw new Error('the owner has sent another number of ids than it announced');
    }
    this.idCount = returned;
    this.jsonByteLength = jsonByteLength;
    this.#areNumbers = areNumbers;
    return this;
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.concat([...this.jsonBytes()]).toString('latin1'));
  }

  /** @throws Error when its caller was done before it was read to the end */
  *jsonBytes(room?: Uint8Array): Generator<Uint8Array> {
    for (const piece of this.#areNumbers ? this.#toDigits() : this.#pieces()) {
      if (this.isGone) throw new Error('a list of another process is read too late');
      yield this.#areNumbers || room !== undefined ? piece : Buffer.from(piece);
    }
  }

  #toDigits(): Iterable<Uint8Array> {
    const numbers = Uint8Array.from(Buffer.concat(this.#pieces()));
    return new IdList(new BigUint64Array(numbers.buffer)).jsonBytes();
  }

  #pieces(): Buffer[] {
    return this.blocks.map((block, index) => block.subarray(0, this.bytes - index * BLOCK_BYTES));
  }
}
