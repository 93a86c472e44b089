import { BOT_FILTERS, type BotFilter } from './bot-filter.ts';
import type { ChangeOffset } from './changes/reader.ts';

/** An offset in a change log, and whose changes these are. */
export interface Cursor {
  readonly guildId: string;
  readonly roleId: string;
  readonly bots: BotFilter;
  readonly offset: ChangeOffset;
}

// One byte for the bot filter, 8 for each id, 9 for the epoch, 6 for the offset.
const ROLE_AT = 9;
const EPOCH_AT = 17;
const OFFSET_AT = 26;
const BYTES = 32;

/** 43 letters, digits, dashes and underscores, so a URL needs no encoding. */
export function writeCursor({ guildId, roleId, bots, offset }: Cursor): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(BOT_FILTERS.indexOf(bots));
  bytes.writeBigUInt64BE(BigInt(guildId), 1);
  bytes.writeBigUInt64BE(BigInt(roleId), ROLE_AT);
  bytes.write(offset.epoch, EPOCH_AT, 'base64url');
  bytes.writeUIntBE(offset.at, OFFSET_AT, BYTES - OFFSET_AT);
  return bytes.toString('base64url');
}

/** Returns null for any text that `writeCursor` has not written. */
export function readCursor(text: string): Cursor | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return null;
  const bots = BOT_FILTERS[bytes.readUInt8()];
  if (bots === undefined) return null;
  return {
    guildId: String(bytes.readBigUInt64BE(1)),
    roleId: String(bytes.readBigUInt64BE(ROLE_AT)),
    bots,
    offset: {
      epoch: bytes.toString('base64url', EPOCH_AT, OFFSET_AT),
      at: bytes.readUIntBE(OFFSET_AT, BYTES - OFFSET_AT),
    },
  };
}
