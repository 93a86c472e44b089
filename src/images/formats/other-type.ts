import type { ImageBytes } from '../image-bytes.ts';
import { readBrands } from './avif.ts';

/** {@link https://mp4ra.org/registered-types/brands} */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'];
/** Brands that HEIC and AVIF share. An AVIF always has `avif` as well. */
const PICTURE_BRANDS = ['mif1', 'mif2', 'msf1'];
const MP4_BRAND = /^(?:iso[2-9m]|mp4[12]|mp71|avc1|M4V[ HP]|dash|msnv|MSNV|3g[2gp].|F4V |f4v )$/;
/** The head of a Matroska file names its kind within its first bytes. */
const EBML_BYTES = 64;

/** Images by their first bytes. Discord's clients do not show them, and few browsers do. */
const OTHER_IMAGES = [
  [/^\0\0[\x01\x02]\0[^\0]/, 'ICO'],
  [/^(?:II[*+]\0|MM\0[*+])/, 'TIFF'],
  [/^BM.{4}\0{4}/s, 'BMP'],
  [/^(?:\xff\x0a|\0\0\0\x0cJXL )/, 'JPEG XL'],
] as const;

/** Returns the name of an image type that Discord does not show, or null. */
export function otherImageOf(bytes: ImageBytes): string | null {
  const start = bytes.latin1(0, Math.min(12, bytes.length));
  return OTHER_IMAGES.find(([begins]) => begins.test(start))?.[1] ?? null;
}

/**
 * Returns the name of a file type that people take for an image and Discord does not, or null: a photo of an iPhone, or
 * a video.
 */
export function otherTypeOf(bytes: ImageBytes): string | null {
  if (bytes.length < 12) return null;
  if (bytes.latin1(0, 4) === '\x1a\x45\xdf\xa3') {
    const head = bytes.latin1(0, Math.min(EBML_BYTES, bytes.length));
    if (head.includes('matroska')) return 'MKV';
    return head.includes('webm') ? 'WebM' : null;
  }
  if (bytes.latin1(4, 4) !== 'ftyp') return null;
  const major = bytes.latin1(8, 4);
  if (major === 'qt  ') return 'MOV';
  if (MP4_BRAND.test(major)) return 'MP4';
  const brands = readBrands(bytes);
  const isHeic = HEIC_BRANDS.some((brand) => brands.has(brand));
  return isHeic || (PICTURE_BRANDS.includes(major) && !brands.has('avif')) ? 'HEIC' : null;
}
