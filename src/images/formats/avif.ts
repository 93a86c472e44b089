import type { ImageBytes } from '../image-bytes.ts';
import type { ImageHeader } from './image-header.ts';

/** Most boxes that are read in one container. The properties of a grid of tiles are the most numerous. */
const BOXES_MAX = 4_096;
/** Most compatible brands that are read. */
const BRANDS_MAX = 64;

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads an AVIF. Its size is the largest of those in its item properties, because thumbnails and the tiles of a grid
 * are smaller. A sequence is known by its brand. A rotation does not swap width and height.
 * {@link https://aomediacodec.github.io/av1-avif/} {@link https://www.iso.org/standard/83102.html} (ISO/IEC 14496-12)
 */
export function readAvif(bytes: ImageBytes): ImageHeader | null {
  const brands = readBrands(bytes);
  if (!brands.has('avif') && !brands.has('avis')) return null;

  const properties = [
    ['meta', 4],
    ['iprp', 0],
    ['ipco', 0],
  ] as const;
  let container: Box = { type: 'file', start: 0, end: bytes.length };
  for (const [type, headBytes] of properties) {
    const found = boxesOf(bytes, container).find((box) => box.type === type);
    if (found === undefined) return null;
    container = { ...found, start: found.start + headBytes };
  }

  let size = { width: 0, height: 0 };
  let isAv1 = false;
  for (const { type, start } of boxesOf(bytes, container)) {
    // Other codecs use the same boxes, under any brand.
    if (type === 'av1C') isAv1 = true;
    if (type !== 'ispe') continue;
    const width = bytes.u32be(start + 4);
    const height = bytes.u32be(start + 8);
    if (width * height > size.width * size.height) size = { width, height };
  }
  return isAv1 ? { ...size, animated: brands.has('avis'), seconds: null } : null;
}

/** The major and the compatible brands of the file type box. */
export function readBrands(bytes: ImageBytes): Set<string> {
  const end = Math.min(bytes.u32be(0), 16 + 4 * BRANDS_MAX, bytes.length);
  const brands = new Set([bytes.latin1(8, 4)]);
  for (let at = 16; at + 4 <= end; at += 4) brands.add(bytes.latin1(at, 4));
  return brands;
}

/** The boxes directly in a container. One that is larger than the container ends the list. */
function* boxesOf(bytes: ImageBytes, container: Box): Generator<Box, void> {
  let at = container.start;
  for (let boxes = 0; boxes < BOXES_MAX && at + 8 <= container.end; boxes += 1) {
    let size = bytes.u32be(at);
    const type = bytes.latin1(at + 4, 4);
    // 0: up to the end; 1: the size follows in 64 bits.
    const isLarge = size === 1;
    if (isLarge) size = bytes.u32be(at + 8) * 2 ** 32 + bytes.u32be(at + 12);
    else if (size === 0) size = container.end - at;
    const headBytes = isLarge ? 16 : 8;
    const end = at + size;
    if (size < headBytes || end > container.end) return;
    yield { type, start: at + headBytes, end };
    at = end;
  }
}
