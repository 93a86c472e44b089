/** Ids of Discord: unsigned 64-bit numbers, as strings of decimal digits. */
export const SNOWFLAKE_MAX = 2n ** 64n - 1n;

const DIGITS = /^[1-9]\d{16,19}$/;
const LARGEST = String(SNOWFLAKE_MAX);

/** True for everything that can be an id on Discord: those since 2015 have 17 digits or more. */
export function isSnowflake(text: string): boolean {
  return DIGITS.test(text) && (text.length < LARGEST.length || text <= LARGEST);
}

/** https://docs.discord.com/developers/events/gateway#sharding-sharding-formula */
export function shardOf(guildId: string, shardCount: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
}
