/** Ids of Discord: unsigned 64-bit numbers, as strings of decimal digits. */
export const SNOWFLAKE_MAX = 2n ** 64n - 1n;

const DIGITS = /^[1-9]\d{0,19}$/;
/** Discord has given out no shorter ones since it began in 2015. */
export const SNOWFLAKE_DIGITS_MIN = 17;
export const SNOWFLAKE_DIGITS_MAX = 20;

/**
 * Reads an id of any length, as other Discord-compatible servers and tests have them: no sign, no leading zero, at most
 * 2^64 - 1. Returns null for anything else.
 */
export function parseSnowflake(text: string): bigint | null {
  if (!DIGITS.test(text)) return null;
  const id = BigInt(text);
  return id <= SNOWFLAKE_MAX ? id : null;
}

/** True for everything that can be an id on Discord. */
export function isSnowflake(text: string): boolean {
  return text.length >= SNOWFLAKE_DIGITS_MIN && parseSnowflake(text) !== null;
}

/** Compares decimal ids, as for Array#sort. */
export function compareSnowflakes(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** https://docs.discord.com/developers/events/gateway#sharding-sharding-formula */
export function shardOf(guildId: string, shardCount: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
}
