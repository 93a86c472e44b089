import type { IncomingMessage } from 'node:http';

import { Problem } from '../../problem.ts';
import { noRoom } from './body-budget.ts';
import type { BodyOwner } from './body-room.ts';
import { bodyBroken, onBodyBroken } from './broken-body.ts';

/**
 * All bytes of a body, within its owner's share of the room.
 * @throws Problem `body_too_large`, `request_timeout`, `busy`, `bad_request`
 */
export function receiveBytes(request: IncomingMessage, bytesMax: number, owner: BodyOwner): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const hold = owner.budget.open(owner.id, () => finish(noRoom()));
    const finish = (problem?: Problem) => {
      hold.release();
      request.off('data', onData).off('end', onEnd).off('close', onEarlyEnd).off('error', onEarlyEnd);
      stopWaiting();
      if (problem === undefined) return resolve(Buffer.concat(chunks));
      // What is left waits until the answer is written.
      request.pause();
      return reject(problem);
    };
    const onData = (chunk: Buffer) => {
      if (bytes + chunk.length > bytesMax) return finish(tooLarge(bytesMax));
      if (!hold.take(chunk.length)) return finish(noRoom());
      bytes += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = () => finish();
    const onEarlyEnd = () => finish(bodyBroken());
    request.on('data', onData).on('end', onEnd).on('close', onEarlyEnd).on('error', onEarlyEnd);
    const stopWaiting = onBodyBroken(request, (problem) => setImmediate(() => finish(problem)));
  });
}

export function tooLarge(bytesMax: number): Problem {
  return new Problem('body_too_large', {
    error: `The body is larger than ${Math.floor(bytesMax / 1024)} KiB.`,
    hint: 'Send long texts as text/plain: in JSON, some libraries write one letter as six bytes.',
  });
}
