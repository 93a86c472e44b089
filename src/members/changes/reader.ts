import * as z from 'zod';

import { nonNegativeInt, snowflake } from '../../kernel/schemas.ts';
import { BOT_CHOICES } from '../bot-choice.ts';

/** A place in a record, after an entry. */
export const placeSchema = z
  .object({
    /** The epoch of the record. */
    epoch: z.string().max(20),
    at: nonNegativeInt,
  })
  .readonly();

export type RecordPlace = z.output<typeof placeSchema>;

/** Identifies a reader. The same name with another role or another choice of bots is another reader. */
export const readerSchema = z
  .object({
    guildId: snowflake,
    /** The guild's own id means all its members. */
    roleId: snowflake,
    bots: z.enum(BOT_CHOICES),
    reader: z.string().max(32),
  })
  .readonly();

export type Reader = z.output<typeof readerSchema>;

/** Reports that a reader has received an answer and so knows all changes up to its place. */
export const readerMoveSchema = z.object({ ...readerSchema.unwrap().shape, place: placeSchema }).readonly();

export type ReaderMove = z.output<typeof readerMoveSchema>;
