import type { StreamedValue } from '../kernel/streamed-value.ts';

/** A read beyond the end of a file. */
export class EndOfBytes extends Error {
  override readonly name = 'EndOfBytes';
}

/**
 * Bytes that are encoded at a time. A multiple of 3, so that the pieces join without padding in between. Their base64
 * stays below 128 KiB, because larger strings each get a memory mapping of their own and cost four times as much.
 */
const ENCODED_BYTES = 3 * 30 * 1024;

/** The bytes of a file, complete or still arriving. Reads beyond the end throw `EndOfBytes`. */
export class ImageBytes {
  #memory: Buffer | null;
  #length: number;

  constructor(file: Buffer = Buffer.alloc(0)) {
    this.#memory = file;
    this.#length = file.length;
  }

  get length(): number {
    return this.#length;
  }

  /** Drops the file, even if other code still holds this object. From now on reads and writes fail. */
  detach(): void {
    this.#memory = null;
  }

  /** The whole file, without a copy. */
  view(): Buffer {
    return this.#held().subarray(0, this.#length);
  }

  /** @throws Error after `detach` */
  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#held().length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#length));
      this.view().copy(larger);
      this.#memory = larger;
    }
    this.#held().set(piece, this.#length);
    this.#length = length;
  }

  /** The file in base64, piece by piece. The pieces join to one string. */
  *base64(): Generator<string, void> {
    for (let at = 0; at < this.#length; at += ENCODED_BYTES) {
      yield this.#held().toString('base64', at, Math.min(at + ENCODED_BYTES, this.#length));
    }
  }

  u8(at: number): number {
    return this.#range(at, 1).readUInt8(at);
  }

  u16be(at: number): number {
    return this.#range(at, 2).readUInt16BE(at);
  }

  u16le(at: number): number {
    return this.#range(at, 2).readUInt16LE(at);
  }

  u24le(at: number): number {
    return this.#range(at, 3).readUIntLE(at, 3);
  }

  u32be(at: number): number {
    return this.#range(at, 4).readUInt32BE(at);
  }

  u32le(at: number): number {
    return this.#range(at, 4).readUInt32LE(at);
  }

  /** `length` bytes as ISO 8859-1, one character each. */
  latin1(at: number, length: number): string {
    return this.#range(at, length).toString('latin1', at, at + length);
  }

  #range(at: number, length: number): Buffer {
    if (at + length > this.#length) throw new EndOfBytes();
    return this.#held();
  }

  #held(): Buffer {
    if (this.#memory === null) throw new Error('The image was released before it was read.');
    return this.#memory;
  }
}

/**
 * A file as a base64 string that is made while it is written, so that any number of such values only keeps the file
 * itself in memory. A file has at least one byte.
 * @param prefix goes before the base64; only characters that JSON takes as they are
 */
export function base64Text(bytes: ImageBytes, prefix: string): StreamedValue {
  return {
    isText: true,
    jsonByteLength: prefix.length + Math.ceil(bytes.length / 3) * 4 + 2,
    toJSON() {
      return prefix + [...bytes.base64()].join('');
    },
    *jsonBytes() {
      yield Buffer.from(`"${prefix}`);
      for (const text of bytes.base64()) yield Buffer.from(text, 'latin1');
      yield Buffer.from('"');
    },
  };
}
