import type { ByteReader } from '../image-bytes.ts';
import type { ImageHeader } from './image-header.ts';

/** Segments and fill bytes before the pixels. */
const STEPS_MAX = 10_000;

const SOS = 0xda;
/** Start of frame: C0 to CF without DHT, JPG and DAC. */
const isStartOfFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** RST0 to RST7, SOI, EOI and TEM: they have no place before the pixels. */
const standsAlone = (marker: number) =>
  (marker >= 0xd0 && marker <= 0xd9) || marker === 0x01 || marker === 0x00;

/**
 * Reads a JPEG segment by segment, up to its first scan. An orientation in EXIF does not turn width and height.
 * {@link https://www.w3.org/Graphics/JPEG/itu-t81.pdf} B.1, B.2
 */
export function readJpeg(bytes: ByteReader): ImageHeader | null {
  let header: ImageHeader | null = null;
  let at = 2;
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    if (bytes.u8(at) !== 0xff) return null;
    const marker = bytes.u8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (standsAlone(marker)) return null;
    const length = bytes.u16be(at + 2);
    if (length < 2) return null;
    if (marker === SOS) return header;
    if (isStartOfFrame(marker)) {
      const components = bytes.u8(at + 9);
      if (header !== null || components < 1 || components > 4 || length !== 8 + 3 * components) return null;
      header = { width: bytes.u16be(at + 7), height: bytes.u16be(at + 5), animated: false, seconds: null };
    }
    at += 2 + length;
  }
  return null;
}
