// The protocol between the service and its child, over pipes. Numbers are little-endian; their bytes are in brackets.
// A request: length of the spec (4), length of the file (4), the spec as JSON, the file.
// A reply: its kind (1), length of the file (4), the file. The service never reads text from the child.

/** The file to make. */
export interface FitSpec {
  readonly animatedAs: 'gif' | 'webp' | null;
  /** Pixels: the longer side is at most this. */
  readonly sideMax: number;
  readonly isPadded: boolean;
  readonly bytesMax: number;
  /** Milliseconds after which the best file so far is taken. */
  readonly enoughMs: number;
}

export const REPLY = { ready: 0, fitted: 1, cannotFit: 2 } as const;

export const REQUEST_HEADER_BYTES = 8;
export const REPLY_HEADER_BYTES = 5;

/** Sent before the file, so that the file is not copied. */
export function encodeRequestHeader(spec: FitSpec, fileBytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(spec));
  const header = Buffer.alloc(REQUEST_HEADER_BYTES);
  header.writeUInt32LE(json.length, 0);
  header.writeUInt32LE(fileBytes, 4);
  return Buffer.concat([header, json]);
}

/** Returns header and file in one piece, because each write of the child wakes the service. */
export function encodeReply(kind: number, file: Uint8Array = new Uint8Array()): Buffer {
  const header = Buffer.alloc(REPLY_HEADER_BYTES);
  header.writeUInt8(kind, 0);
  header.writeUInt32LE(file.length, 1);
  return Buffer.concat([header, file]);
}
