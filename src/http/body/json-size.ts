/** Bodies up to this size are parsed in no time, whatever they hold. */
const CHECKED_FROM_BYTES = 16 * 1024;
const VALUES_MAX = 10_000;
const DEPTH_MAX = 64;

/**
 * Whether a JSON text has more values or levels than any request of ours needs. Parsing 4 MiB of small values takes
 * hundreds of milliseconds, in which nobody else is answered; finding out takes a few. Linear, and it stops early.
 */
export function isExcessiveJson(bytes: Uint8Array): boolean {
  if (bytes.length <= CHECKED_FROM_BYTES) return false;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case 0x22:
        at = endOfString(bytes, at);
        break;
      case 0x2c:
        values += 1;
        if (values > VALUES_MAX) return true;
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > DEPTH_MAX) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
        break;
      default:
    }
  }
  return false;
}

/** @param from the quote that opens the string */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
  return at;
}
