import type { LargeIds } from '../large-value.ts';
import { PIECE_BYTES_MAX } from './transfer-limits.ts';

/** Ids as another process has written them: a JSON array of strings. */
export class ReceivedIds implements LargeIds {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get jsonByteLength(): number {
    return this.#bytes.length;
  }

  get idCount(): number {
    if (this.#bytes.length <= 2) return 0;
    let count = 1;
    for (const byte of this.#bytes) if (byte === 0x2c) count += 1;
    return count;
  }

  toJSON(): unknown {
    return JSON.parse(
      Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length).toString('latin1'),
    );
  }

  *jsonBytes(): Generator<Uint8Array> {
    for (let at = 0; at < this.#bytes.length; at += PIECE_BYTES_MAX) {
      yield this.#bytes.subarray(at, at + PIECE_BYTES_MAX);
    }
  }
}
