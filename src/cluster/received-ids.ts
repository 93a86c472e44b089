import type { LargeIds } from '../large-value.ts';
import { IdList, newIds } from '../members/index/id-list.ts';
import type { ProcessAnswer } from './ask-process.ts';
import { NUMBERS_TYPE } from './wire.ts';

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
  const ids = newIds(returned);
  const bytes = new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  const range = { count: returned, ids, digits: null, copyIds: (out: BigUint64Array) => out.set(ids) };
  return new IdList(returned === 0 ? [] : [range], jsonByteLength);
}
