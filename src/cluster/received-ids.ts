import type { LargeIds } from '../large-value.ts';
import { IdList, type IdRange } from '../members/index/id-list.ts';
import type { ProcessAnswer } from './ask-process.ts';
import { NUMBERS_TYPE } from './wire.ts';

const ID_BYTES = BigUint64Array.BYTES_PER_ELEMENT;
/** Written at once. */
const RANGE_IDS = 8_192;

/**
 * The ids that another process has sent, as numbers or as JSON.
 * @throws Error when they are not as many as it has announced
 */
export function receiveIds(
  { headers, pieces }: ProcessAnswer,
  returned: number,
  jsonByteLength: number,
): LargeIds {
  const areNumbers = headers['content-type'] === NUMBERS_TYPE;
  const received = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (received !== (areNumbers ? returned * BigUint64Array.BYTES_PER_ELEMENT : jsonByteLength)) {
    throw new Error('the owner has sent another number of ids than it announced');
  }
  if (!areNumbers) {
    return {
      idCount: returned,
      jsonByteLength,
      toJSON: () => JSON.parse(Buffer.concat(pieces).toString('latin1')),
      jsonBytes: () => pieces,
    };
  }
  const ranges: IdRange[] = [];
  for (let from = 0; from < returned; from += RANGE_IDS) {
    const count = Math.min(RANGE_IDS, returned - from);
    ranges.push({
      count,
      digits: null,
      copyIds: (out, at) => copyIds(pieces, from, out.subarray(at, at + count)),
    });
  }
  return new IdList(ranges, jsonByteLength);
}

/** Fills `out` with ids from the place `from` on, wherever the network has cut them. */
function copyIds(pieces: readonly Uint8Array[], from: number, out: BigUint64Array): void {
  const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
  let skip = from * ID_BYTES;
  let end = 0;
  for (const piece of pieces) {
    if (end === bytes.length) return;
    const part = piece.subarray(skip, skip + bytes.length - end);
    skip = Math.max(0, skip - piece.length);
    bytes.set(part, end);
    end += part.length;
  }
}
