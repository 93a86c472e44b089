import type { LargeValue } from '../large-value.ts';
import type { ImageBytes } from './image-bytes.ts';

/**
 * A file as a base64 string, made while it is written: only the file itself stays in memory, however many such values
 * there are. A file has at least one byte.
 * @param prefix goes before the base64; only characters that JSON takes as they are
 */
export function base64Text(bytes: ImageBytes, prefix: string): LargeValue {
  return {
    isText: true,
    jsonByteLength: prefix.length + Math.ceil(bytes.length / 3) * 4 + 2,
    toJSON() {
      return prefix + [...bytes.base64()].join('');
    },
    *jsonBytes(room) {
      const space = room && Buffer.from(room.buffer, room.byteOffset, room.length);
      let left = this.jsonByteLength;
      let head = `"${prefix}`;
      for (const text of bytes.base64((space?.length ?? Infinity) - head.length - 1)) {
        const tail = left === head.length + text.length + 1 ? '"' : '';
        const piece = space ?? Buffer.allocUnsafeSlow(head.length + text.length + tail.length);
        let end = piece.write(head, 'latin1');
        end += piece.write(text, end, 'latin1');
        end += piece.write(tail, end, 'latin1');
        yield piece.subarray(0, end);
        left -= end;
        head = '';
      }
    },
  };
}
