import type { ImageBytes } from '../image-bytes.ts';
import type { ImageHeader } from './image-header.ts';

/** Segments before the pixels. */
const SEGMENTS_MAX = 10_000;
/** Bytes before the pixels that belong to no segment. */
const SKIPPED_MAX = 70_000;

const SOS = 0xda;
/** Start of frame: C0 to CF without DHT, JPG and DAC. */
const isStartOfFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** SOI and EOI. */
const endsHeader = (marker: number) => marker === 0xd8 || marker === 0xd9;
/** An escaped byte, TEM, RST0 to RST7, and FF before a marker: no segment follows. */
const standsAlone = (marker: number) =>
  marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd7) || marker === 0xff;

/**
 * Reads a JPEG segment by segment, up to its first scan. What is between segments is skipped, as in browsers: cameras and
 * editors leave zeros there. An orientation in EXIF does not turn width and height.
 * {@link https://www.w3.org/Graphics/JPEG/itu-t81.pdf} B.1, B.2
 */
export function readJpeg(bytes: ImageBytes): ImageHeader | null {
  let header: ImageHeader | null = null;
  let at = 2;
  let segments = 0;
  let skipped = 0;
  while (segments < SEGMENTS_MAX && skipped < SKIPPED_MAX) {
    if (bytes.u8(at) !== 0xff) {
      at += 1;
      skipped += 1;
      continue;
    }
    const marker = bytes.u8(at + 1);
    if (standsAlone(marker)) {
      at += marker === 0xff ? 1 : 2;
      skipped += 2;
      continue;
    }
    if (endsHeader(marker)) return null;
    segments += 1;
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
