const LINE_END = 0x0a;

export interface Frame {
  /** What the JSON of the first line says; not checked yet. */
  readonly head: unknown;
  readonly body: Uint8Array;
}

/** A line of JSON, then bytes as they are. */
export function encodeFrame(head: object, body: readonly Uint8Array[] = []): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...body]);
}

/** Null when it is none. The body shares memory with `bytes`. */
export function decodeFrame(bytes: Uint8Array): Frame | null {
  const end = bytes.indexOf(LINE_END);
  if (end === -1) return null;
  try {
    const head: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, end).toString());
    return { head, body: bytes.subarray(end + 1) };
  } catch {
    return null;
  }
}
