import type { Sliced } from './turns.ts';

/** Decoding and parsing this number of bytes takes about a millisecond at worst. */
export const SLICE_BYTES = 64 * 1024;

/** The most bytes that follow the first one of a UTF-8 sequence. */
const CONTINUATIONS_MAX = 3;

/** Bytes as text, as `TextDecoder` reads them: U+FEFF stays, what is not UTF-8 becomes U+FFFD. */
export function* decodeUtf8(bytes: Buffer, start = 0, end = bytes.length): Sliced<string> {
  if (end - start <= SLICE_BYTES) return bytes.toString('utf8', start, end);
  const pieces: string[] = [];
  for (let from = start; from < end;) {
    const to = Math.min(end, endOfSequence(bytes, from + SLICE_BYTES));
    pieces.push(bytes.toString('utf8', from, to));
    from = to;
    yield;
  }
  return pieces.join('');
}

/** The first place from `at` on at which no sequence is cut, whether the bytes are valid or not. */
export function endOfSequence(bytes: Uint8Array, at: number): number {
  let end = at;
  // After three continuation bytes whatever they belong to has ended.
  while (end < at + CONTINUATIONS_MAX && ((bytes[end] ?? 0) & 0xc0) === 0x80) end += 1;
  return end;
}
