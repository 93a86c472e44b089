import { Problem } from '../kernel/problem.ts';
import { EndOfBytes, type ImageBytes } from './image-bytes.ts';
import { readAvif } from './formats/avif.ts';
import { readGif } from './formats/gif.ts';
import type { ImageHeader, ImageMimeType } from './formats/image-header.ts';
import { readJpeg } from './formats/jpeg.ts';
import { otherImageOf, otherTypeOf } from './formats/other-type.ts';
import { readPng } from './formats/png.ts';
import { readWebp } from './formats/webp.ts';

export type ImageType = ImageHeader & { readonly mimeType: ImageMimeType };

/** Pixels of one frame. `FIT_LIMITS.residentBytesMax` has room for twice as many. */
const PIXELS_MAX = 50_000_000;
/** Pixels. A WebP cannot be larger. */
const SIDE_MAX = 16_384;
/** Comments before the root element of a page or an SVG are rarely longer, even with a whole licence. */
const MARKUP_BYTES_MAX = 131_072;
/** Without comments, the document type and the name of the root element are rarely longer. */
const ROOT_CHARS_MAX = 4_096;
/** The beginning and end of comments and declarations. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;

/**
 * Reads type and size of an image from its bytes alone, without name, headers or pixels. The work is bounded by counts
 * in each format, not by the size of the file.
 * @throws Problem `image_not_an_image`, `image_svg_refused`, `image_too_many_pixels`
 */
export function readImageType(bytes: ImageBytes): ImageType {
  const type = readWhole(bytes);
  if (type === null || type.width === 0 || type.height === 0) throw notAnImage(bytes);
  if (type.width > SIDE_MAX || type.height > SIDE_MAX || type.width * type.height > PIXELS_MAX) {
    throw new Problem('image_too_many_pixels');
  }
  return type;
}

/** Returns null when it is not an image, or its header is not complete. */
function readWhole(bytes: ImageBytes): ImageType | null {
  try {
    const format = formatOf(bytes.latin1(0, 12));
    const header = format?.read(bytes) ?? null;
    return format === null || header === null ? null : { mimeType: format.mimeType, ...header };
  } catch (error) {
    if (error instanceof EndOfBytes) return null;
    throw error;
  }
}

interface Format {
  readonly mimeType: ImageMimeType;
  read(bytes: ImageBytes): ImageHeader | null;
}

/** @param start the first 12 bytes, one character each */
function formatOf(start: string): Format | null {
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return { mimeType: 'image/png', read: readPng };
  if (start.startsWith('\xff\xd8\xff')) return { mimeType: 'image/jpeg', read: readJpeg };
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a'))
    return { mimeType: 'image/gif', read: readGif };
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return { mimeType: 'image/webp', read: readWebp };
  if (start.startsWith('ftyp', 4)) return { mimeType: 'image/avif', read: readAvif };
  return null;
}

function notAnImage(bytes: ImageBytes): Problem {
  const otherImage = otherImageOf(bytes);
  if (otherImage !== null) {
    return new Problem('image_not_an_image/other', { values: { type: otherImage } });
  }
  const otherType = otherTypeOf(bytes);
  if (otherType === 'HEIC') {
    return new Problem('image_not_an_image/heic');
  }
  if (otherType !== null) {
    return new Problem('image_not_an_image/video', { values: { type: otherType } });
  }
  const start = startOfMarkup(bytes);
  if (looksLikeSvg(start)) return new Problem('image_svg_refused');
  return new Problem(looksLikePage(start) ? 'image_not_an_image/page' : 'image_not_an_image');
}

/** True when the root element of a file is svg, in UTF-8 or UTF-16. */
function looksLikeSvg(start: string): boolean {
  if (start.startsWith('<!doctype svg')) return true;
  const svg = start.indexOf('<svg');
  const html = start.indexOf('<html');
  return start.startsWith('<') && svg !== -1 && !looksLikePage(start) && (html === -1 || svg < html);
}

function looksLikePage(start: string): boolean {
  return start.startsWith('<!doctype html') || start.startsWith('<html') || start.startsWith('<head');
}

/**
 * Returns the file from its document type or root element on, in lower case. Skips the byte order mark, the zero bytes
 * of UTF-16, white space, comments and declarations. Empty if a comment does not end.
 */
function startOfMarkup(bytes: ImageBytes): string {
  let rest = bytes
    .latin1(0, Math.min(MARKUP_BYTES_MAX, bytes.length))
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart();
  for (;;) {
    const [start, end] = SKIPPED.find(([each]) => rest.startsWith(each)) ?? [];
    if (start === undefined || end === undefined) return rest.slice(0, ROOT_CHARS_MAX).toLowerCase();
    const endAt = rest.indexOf(end, start.length);
    if (endAt === -1) return '';
    rest = rest.slice(endAt + end.length).trimStart();
  }
}
