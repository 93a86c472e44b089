import type { FitOrder } from './fit-pixels.ts';

// The protocol between the service and its child, over pipes. Numbers are little-endian; their bytes are in brackets.
// A request: length of the order (4), length of the file (4), the order as JSON, the file.
// A reply: its kind (1), length of the file (4), the file. The service never reads text from the child.

export const REPLY = { ready: 0, fitted: 1, cannotFit: 2 } as const;

export const REQUEST_HEAD_BYTES = 8;
export const REPLY_HEAD_BYTES = 5;

export function requestHead(order: FitOrder, fileBytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(order));
  const head = Buffer.alloc(REQUEST_HEAD_BYTES);
  head.writeUInt32LE(json.length, 0);
  head.writeUInt32LE(fileBytes, 4);
  return Buffer.concat([head, json]);
}

export function replyHead(reply: number, fileBytes: number): Buffer {
  const head = Buffer.alloc(REPLY_HEAD_BYTES);
  head.writeUInt8(reply, 0);
  head.writeUInt32LE(fileBytes, 1);
  return head;
}
