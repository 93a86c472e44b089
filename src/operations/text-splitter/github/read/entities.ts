import { decodeString } from 'micromark-util-decode-string';

const REFERENCE = /&(?:#(?:\d{1,7}|x[\da-f]{1,6})|[a-z][\da-z]{1,30});/iy;

/** Returns the meaning of a character reference and its end, or null. */
export function readEntity(text: string, at: number): { value: string; end: number } | null {
  REFERENCE.lastIndex = at;
  const source = REFERENCE.exec(text)?.[0] ?? '';
  const value = decodeString(source);
  return value === source ? null : { value, end: at + source.length };
}

/** Decodes character references, and leaves backslashes as they are. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&#?\w{1,32};/g, (reference) => decodeString(reference));
}
