import * as z from 'zod';

import { BOT_CHOICES } from './role-question.ts';

const snowflake = z.string().regex(/^\d{1,20}$/);

/** A place in a record, after an entry. */
export const placeSchema = z
  .object({
    /** The epoch of the record. */
    epoch: z.string().max(20),
    at: z.int().nonnegative(),
  })
  .readonly();

export type RecordPlace = z.output<typeof placeSchema>;

/** Identifies a reader. The same name with another role or another choice of bots is another reader. */
const readerSchema = z
  .object({
    guildId: snowflake,
    /** The guild's own id means all its members. */
    roleId: snowflake,
    bots: z.enum(BOT_CHOICES),
    reader: z.string().max(32),
  })
  .readonly();

export type Reader = z.output<typeof readerSchema>;

/** Asks who got and who lost a role. It is plain data, and travels between processes unchanged. */
export const changesQuestionSchema = z
  .object({
    ...readerSchema.unwrap().shape,
    /** The reader whose place counts; null for none. */
    reader: readerSchema.unwrap().shape.reader.nullable(),
    /**
     * Asks for changes since this place. Without it and without a reader, the answer only says where the record is now.
     */
    since: placeSchema.nullable(),
  })
  .readonly();

export type ChangesQuestion = z.output<typeof changesQuestionSchema>;

/** Reports that an answer has reached its reader, who now knows what happened up to its place. */
export const readerMoveSchema = z.object({ ...readerSchema.unwrap().shape, place: placeSchema }).readonly();

export type ReaderMove = z.output<typeof readerMoveSchema>;
