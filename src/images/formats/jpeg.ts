import type { ImageBytes } from '../image-bytes.ts';
import type { ImageHeader } from './image-header.ts';

/** Segments before the pixels. */
const SEGMENTS_MAX = 10_000;
/** Bytes before the pixels that are in no segment. */
const SKIPPED_MAX = 70_000;

const SOS = 0xda;
const APP1 = 0xe1;
/** "Exif", two zeros, and the header of a TIFF file. */
const EXIF_LENGTH_MIN = 14;
const ORIENTATION = 0x0112;
/** Start of frame: C0 to CF without DHT, JPG and DAC. */
const isStartOfFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** SOI and EOI. */
const endsHeader = (marker: number) => marker === 0xd8 || marker === 0xd9;
/** An escaped byte, TEM, RST0 to RST7, and FF before a marker, which begin no segment. */
const standsAlone = (marker: number) =>
  marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd7) || marker === 0xff;

/**
 * Reads a JPEG segment by segment, up to its first scan. It skips bytes between segments, as browsers do, because
 * cameras and editors leave zeros there. Width and height are as shown, after the rotation that EXIF asks for.
 * {@link https://www.w3.org/Graphics/JPEG/itu-t81.pdf} B.1, B.2
 */
export function readJpeg(bytes: ImageBytes): ImageHeader | null {
  let header: ImageHeader | null = null;
  let orientation: number | null = null;
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
    if (marker === SOS) return header !== null && isOnItsSide(orientation) ? turned(header) : header;
    if (marker === APP1) orientation ??= readOrientation(bytes, at + 4, at + 2 + length);
    if (isStartOfFrame(marker)) {
      const components = bytes.u8(at + 9);
      if (header !== null || components < 1 || components > 4 || length !== 8 + 3 * components) return null;
      header = { width: bytes.u16be(at + 7), height: bytes.u16be(at + 5), animated: false, seconds: null };
    }
    at += 2 + length;
  }
  return null;
}

/**
 * Reads the orientation from a segment of EXIF, which holds a small TIFF file, or null.
 * {@link https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf} 4.5.2, 4.6.4
 * @param end of the segment, at which reading stops
 */
function readOrientation(bytes: ImageBytes, start: number, end: number): number | null {
  if (end - start < EXIF_LENGTH_MIN || bytes.latin1(start, 6) !== 'Exif\0\0') return null;
  const tiff = start + 6;
  const order = bytes.latin1(tiff, 2);
  if (order !== 'MM' && order !== 'II') return null;
  const isBig = order === 'MM';
  const u16 = (at: number) => (isBig ? bytes.u16be(at) : bytes.u16le(at));
  const directory = tiff + (isBig ? bytes.u32be(tiff + 4) : bytes.u32le(tiff + 4));
  if (directory + 2 > end) return null;
  const entriesEnd = Math.min(end, directory + 2 + 12 * u16(directory));
  for (let at = directory + 2; at + 12 <= entriesEnd; at += 12) {
    if (u16(at) === ORIENTATION) return u16(at + 8);
  }
  return null;
}

/** Orientations 5 to 8 turn by a quarter. */
function isOnItsSide(orientation: number | null): boolean {
  return orientation !== null && orientation >= 5 && orientation <= 8;
}

function turned(header: ImageHeader): ImageHeader {
  return { ...header, width: header.height, height: header.width };
}
