import type { LargeIds } from '../large-value.ts';

/** Ids as another process has written them: a JSON array of strings. */
export class ReceivedIds implements LargeIds {
  readonly #pieces: readonly Uint8Array[];
  readonly idCount: number;
  readonly jsonByteLength: number;

  constructor(pieces: readonly Uint8Array[], idCount: number, jsonByteLength: number) {
    this.#pieces = pieces;
    this.idCount = idCount;
    this.jsonByteLength = jsonByteLength;
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.concat(this.#pieces).toString('latin1'));
  }

  jsonBytes(): Iterable<Uint8Array> {
    return this.#pieces;
  }
}
