import type { LargeValue } from '../large-value.ts';
import type { ImageBytes } from './image-bytes.ts';

/**
 * A file as a base64 string, made while it is written: what is kept in memory is the file itself, whatever the
 * number of such values over it.
 * @param prefix goes before the base64; only characters that JSON takes as they are
 */
export function base64Text(bytes: ImageBytes, prefix: string): LargeValue {
  return {
    isText: true,
    jsonByteLength: prefix.length + Math.ceil(bytes.length / 3) * 4 + 2,
    toJSON() {
      return prefix + [...bytes.base64()].join('');
    },
    *jsonBytes() {
      let head = `"${prefix}`;
      for (const text of bytes.base64()) {
        yield Buffer.from(head + text, 'latin1');
        head = '';
      }
      yield Buffer.from(`${head}"`, 'latin1');
    },
  };
}
