import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { isSnowflake, SNOWFLAKE_MAX } from '../kernel/snowflake.ts';
import { NO_GUILD_ID } from './guild-keys.ts';

// qm_<guild: 11><id: 5>_<secret: 32><checksum: 6>, all in base62. Only letters, digits, "_" and "-" survive in the
// header fields of every bot builder.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'qm_';
const GUILD_DIGITS = 11;
const ID_DIGITS = 5;
const SECRET_DIGITS = 32;
const CHECKSUM_DIGITS = 6;
const ID_AT = PREFIX.length + GUILD_DIGITS;
const PUBLIC_LENGTH = ID_AT + ID_DIGITS;
const CHECKED_LENGTH = PUBLIC_LENGTH + 1 + SECRET_DIGITS;
const SHAPE = /^qm_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}$/;

/** Unique only within its guild. */
export function generateKeyId(): string {
  return randomDigits(ID_DIGITS);
}

/** @throws RangeError when the guild's id is not an unsigned 64-bit number */
export function generateKey(guildId: string, keyId: string): string {
  const checked = `${toPublicPart(guildId, keyId)}_${randomDigits(SECRET_DIGITS)}`;
  return checked + toChecksum(checked);
}

/** The part of a key that may be shown and logged: `qm_`, guild and id. */
export function toPublicPart(guildId: string, keyId: string): string {
  return PREFIX + toGuildPart(guildId) + keyId;
}

/** The guild's 11 digits, as in each of its keys. @throws RangeError */
export function toGuildPart(guildId: string): string {
  if (!isGuildId(guildId)) throw new RangeError(`"${guildId}" is no id of a guild`);
  return toBase62(BigInt(guildId), GUILD_DIGITS);
}

/** An unsigned 64-bit number in decimal digits, `0` included. */
export function isGuildId(value: string): boolean {
  return /^(0|[1-9]\d{0,19})$/.test(value) && BigInt(value) <= SNOWFLAKE_MAX;
}

/** The id of a server, or `0` for keys of no server. */
export function canHaveKeys(guildId: string): boolean {
  return guildId === NO_GUILD_ID || isSnowflake(guildId);
}

/** Checks length and characters only. */
export function hasKeyShape(text: string): boolean {
  return SHAPE.test(text);
}

/** Distinguishes a mistyped or half-copied key from an unknown one. The text must have the shape of a key. */
export function hasRightChecksum(key: string): boolean {
  return toChecksum(key.slice(0, CHECKED_LENGTH)) === key.slice(CHECKED_LENGTH);
}

/** If the text is not a key, the result belongs to no guild. */
export function guildPartOf(key: string): string {
  return key.slice(PREFIX.length, ID_AT);
}

/** If the text is not a key, the result is not an id. */
export function keyIdOf(key: string): string {
  return key.slice(ID_AT, PUBLIC_LENGTH);
}

/** null when the number is too large for a guild. */
export function toGuildId(guildPart: string): string | null {
  let id = 0n;
  for (const digit of guildPart) id = id * 62n + BigInt(ALPHABET.indexOf(digit));
  return id <= SNOWFLAKE_MAX ? String(id) : null;
}

/** The stored form of a key: the SHA-256 of all of it, in 64 hexadecimal digits. */
export function digestKey(key: string): string {
  return hash('sha256', key, 'hex');
}

function toChecksum(checked: string): string {
  return toBase62(BigInt(crc32(checked)), CHECKSUM_DIGITS);
}

function toBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text.padStart(digits, '0');
}

function randomDigits(count: number): string {
  return Array.from({ length: count }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
