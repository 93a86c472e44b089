/** The custom id of a button, a select or a form, taken apart. Only its user may use it. */
export interface CustomId {
  readonly action: string;
  /** Snowflake of the user for whom it was made. */
  readonly userId: string;
  readonly argument: string;
}

/** Discord's limit. */
const LENGTH_MAX = 100;

export function encodeCustomId(id: CustomId): string {
  const encoded = `${id.action}|${id.userId}|${id.argument}`;
  if (encoded.length > LENGTH_MAX) throw new RangeError('The custom id is longer than Discord takes.');
  return encoded;
}

/** Null for ids that this program did not make. */
export function decodeCustomId(encoded: string): CustomId | null {
  const match = /^([a-z-]+)\|(\d{1,20})\|(.*)$/s.exec(encoded);
  if (match === null) return null;
  const [, action = '', userId = '', argument = ''] = match;
  return { action, userId, argument };
}
