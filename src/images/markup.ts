import type { ByteReader } from './image-bytes.ts';

/** Comments and declarations before the root element are rarely longer. */
const START_BYTES = 4_096;

/** True when the root element of a file is svg, in UTF-8 or UTF-16. */
export function looksLikeSvg(bytes: ByteReader): boolean {
  const start = startOfMarkup(bytes);
  const svg = start.indexOf('<svg');
  const html = start.indexOf('<html');
  return start.startsWith('<') && svg !== -1 && !looksLikePage(bytes) && (html === -1 || svg < html);
}

export function looksLikePage(bytes: ByteReader): boolean {
  const start = startOfMarkup(bytes);
  return start.startsWith('<!doctype html') || start.startsWith('<html') || start.startsWith('<head');
}

/** Without byte order mark, the zero bytes of UTF-16, and leading white space; in lower case. */
function startOfMarkup(bytes: ByteReader): string {
  return bytes
    .latin1(0, Math.min(START_BYTES, bytes.length))
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart()
    .toLowerCase();
}
