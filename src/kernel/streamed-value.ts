/**
 * A part of an answer that is too large for `JSON.stringify`. It writes its own JSON piece by piece, so that it can be
 * sent with back-pressure. Read it, at the latest, in the iteration of the event loop in which it was returned; from
 * then on it does not change.
 */
export interface StreamedValue {
  /** The plain value, where it is needed whole (flat answers, Discord). */
  toJSON(): unknown;
  /** The value as JSON in UTF-8. Each piece is made on demand, in well under 50 ms. */
  jsonBytes(): Iterable<Uint8Array>;
  /** The sum of the lengths of all pieces, for Content-Length. */
  readonly jsonByteLength: number;
  /** Set for a string, which flat answers leave as it is. */
  readonly isText?: true;
  /** Set for an array of this number of ids, as strings, whose JSON has no white space. */
  readonly idCount?: number;
}

/** A StreamedValue of ids. */
export type StreamedIds = StreamedValue & { readonly idCount: number };

export function isStreamedIds(value: StreamedValue): value is StreamedIds {
  return value.idCount !== undefined;
}

export function isStreamedValue(value: unknown): value is StreamedValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'jsonBytes' in value &&
    typeof value.jsonBytes === 'function'
  );
}
