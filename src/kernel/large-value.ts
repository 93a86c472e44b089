/**
 * A part of an answer that is too large for `JSON.stringify`. It writes its own JSON piece by piece, so that it
 * can be sent with back-pressure. Its content is fixed when the operation returns it, or at the latest when it is first
 * read in the same iteration of the event loop.
 */
export interface LargeValue {
  /** The plain value, where it is needed whole (flat answers, Discord). */
  toJSON(): unknown;
  /** The value as JSON in UTF-8. Each piece is made when it is taken, in well under 50 ms. */
  jsonBytes(): Iterable<Uint8Array>;
  /** The sum of the lengths of all pieces, for Content-Length. */
  readonly jsonByteLength: number;
  /** The value is a string, so flat answers leave it as it is. */
  readonly isText?: true;
  /** The value is an array of this number of ids, as strings, and its JSON has no white space. */
  readonly idCount?: number;
}

/** A LargeValue of ids. */
export type LargeIds = LargeValue & { readonly idCount: number };

export function isLargeIds(value: LargeValue): value is LargeIds {
  return value.idCount !== undefined;
}

export function isLargeValue(value: unknown): value is LargeValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'jsonBytes' in value &&
    typeof value.jsonBytes === 'function'
  );
}
