/** GIF's longest code. */
const CODE_BITS_MAX = 12;
const CODES_MAX = 2 ** CODE_BITS_MAX;
/** Of the table from (code before, index) to code: a prime, at most a quarter full. */
const SLOTS = 16_411;
const SUB_BLOCK_BYTES = 255;

/**
 * The pixels of one frame as GIF wants them: LZW with codes of growing length, in sub-blocks, with their end.
 * {@link https://www.w3.org/Graphics/GIF/spec-gif89a.txt} appendix F
 * @param codeBits of an index, 2 to 8
 */
export function packLzw(indexes: Uint8Array, codeBits: number): Buffer {
  const clearCode = 2 ** codeBits;
  const endCode = clearCode + 1;
  const keys = new Int32Array(SLOTS).fill(-1);
  const codes = new Int16Array(SLOTS);
  // A code of 12 bits says at least one index; clear codes are one in 4,000.
  const packed = Buffer.allocUnsafe(indexes.length * 2 + 64);
  let length = 0;
  let bits = 0;
  let bitCount = 0;
  let size = codeBits + 1;
  let nextCode = endCode + 1;

  const write = (code: number) => {
    bits |= code << bitCount;
    bitCount += size;
    while (bitCount >= 8) {
      packed[length] = bits & 0xff;
      length += 1;
      bits >>>= 8;
      bitCount -= 8;
    }
  };

  write(clearCode);
  let before = indexes[0] ?? 0;
  for (let at = 1; at < indexes.length; at += 1) {
    const index = indexes[at] ?? 0;
    const key = (before << 8) | index;
    let slot = (key * 31) % SLOTS;
    while (keys[slot] !== -1 && keys[slot] !== key) slot = slot + 1 === SLOTS ? 0 : slot + 1;
    if (keys[slot] === key) {
      before = codes[slot] ?? 0;
      continue;
    }
    write(before);
    before = index;
    if (nextCode < CODES_MAX) {
      if (nextCode === 2 ** size) size += 1;
      keys[slot] = key;
      codes[slot] = nextCode;
      nextCode += 1;
    } else {
      write(clearCode);
      keys.fill(-1);
      size = codeBits + 1;
      nextCode = endCode + 1;
    }
  }
  write(before);
  // The reader has made one more entry by now, and reads the end with the size after it.
  if (nextCode === 2 ** size && size < CODE_BITS_MAX) size += 1;
  write(endCode);
  if (bitCount > 0) {
    packed[length] = bits & 0xff;
    length += 1;
  }

  const blocks: Buffer[] = [];
  for (let at = 0; at < length; at += SUB_BLOCK_BYTES) {
    const end = Math.min(at + SUB_BLOCK_BYTES, length);
    blocks.push(Buffer.from([end - at]), packed.subarray(at, end));
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}
