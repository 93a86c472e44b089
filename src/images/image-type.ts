import { Problem } from '../problem.ts';
import { EndOfBytes, type ByteReader } from './image-bytes.ts';
import { readAvif } from './formats/avif.ts';
import { readGif } from './formats/gif.ts';
import type { ImageHeader, ImageMimeType } from './formats/image-header.ts';
import { readJpeg } from './formats/jpeg.ts';
import { readPng } from './formats/png.ts';
import { readWebp } from './formats/webp.ts';
import { looksLikePage, looksLikeSvg } from './markup.ts';

export type ImageType = ImageHeader & { readonly mimeType: ImageMimeType };

const PIXELS_MAX = 50_000_000;
const SIDE_MAX = 16_384;

/**
 * Type and size of an image, from its bytes alone: name and header are not used, and no pixel is decoded. The work is
 * bounded by counts in each format, not by the size of the file.
 * @throws Problem `image_not_an_image`, `image_svg_refused`, `image_too_many_pixels`
 */
export function readImageType(bytes: ByteReader): ImageType {
  const type = readWhole(bytes);
  if (type === null || type.width === 0 || type.height === 0) throw notAnImage(bytes);
  if (type.width > SIDE_MAX || type.height > SIDE_MAX || type.width * type.height > PIXELS_MAX) {
    throw new Problem('image_too_many_pixels');
  }
  return type;
}

/** null when it is not an image, or its header is not complete. */
function readWhole(bytes: ByteReader): ImageType | null {
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
  read(bytes: ByteReader): ImageHeader | null;
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

function notAnImage(bytes: ByteReader): Problem {
  if (looksLikeSvg(bytes)) return new Problem('image_svg_refused');
  return new Problem(
    'image_not_an_image',
    looksLikePage(bytes)
      ? {
          error: 'There is a web page at this address, not an image.',
          detail: { kind: 'image_is_page' },
        }
      : {},
  );
}
