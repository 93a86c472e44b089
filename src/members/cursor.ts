import { BOT_CHOICES, type BotChoice } from './bot-choice.ts';
import type { RecordPlace } from './changes/reader.ts';

/** A place in a record, with what identifies the record. */
export interface Cursor {
  readonly guildId: string;
  readonly roleId: string;
  readonly bots: BotChoice;
  readonly place: RecordPlace;
}

// One byte for the choice of bots, 8 for each id, 9 for the epoch, 6 for the place.
const ROLE_AT = 9;
const EPOCH_AT = 17;
const PLACE_AT = 26;
const BYTES = 32;

/** 43 letters, digits, dashes and underscores, so a URL needs no encoding. */
export function writeCursor({ guildId, roleId, bots, place }: Cursor): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(BOT_CHOICES.indexOf(bots));
  bytes.writeBigUInt64BE(BigInt(guildId), 1);
  bytes.writeBigUInt64BE(BigInt(roleId), ROLE_AT);
  bytes.write(place.epoch, EPOCH_AT, 'base64url');
  bytes.writeUIntBE(place.at, PLACE_AT, BYTES - PLACE_AT);
  return bytes.toString('base64url');
}

/** Returns null for any text that `writeCursor` has not written. */
export function readCursor(text: string): Cursor | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return null;
  const bots = BOT_CHOICES[bytes.readUInt8()];
  if (bots === undefined) return null;
  return {
    guildId: String(bytes.readBigUInt64BE(1)),
    roleId: String(bytes.readBigUInt64BE(ROLE_AT)),
    bots,
    place: {
      epoch: bytes.toString('base64url', EPOCH_AT, PLACE_AT),
      at: bytes.readUIntBE(PLACE_AT, BYTES - PLACE_AT),
    },
  };
}
