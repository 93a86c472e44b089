import * as z from 'zod';

import { BOT_CHOICES } from './role-question.ts';

const snowflake = z.string().regex(/^\d{1,20}$/);

/** A place in a record, after an entry. */
export const placeSchema = z
  .object({
    /** Of the record. */
    epoch: z.string().max(20),
    at: z.int().nonnegative(),
  })
  .readonly();

export type RecordPlace = z.output<typeof placeSchema>;

/** What a reader is known by: readers of one name that ask about other roles or other members are others. */
const readerSchema = z
  .object({
    guildId: snowflake,
    /** The guild's own id means its members themselves. */
    roleId: snowflake,
    bots: z.enum(BOT_CHOICES),
    reader: z.string().max(32),
  })
  .readonly();

export type Reader = z.output<typeof readerSchema>;

/** Who got and who lost a role. It is plain data and goes from process to process as it is. */
export const changesQuestionSchema = z
  .object({
    ...readerSchema.unwrap().shape,
    /** Whose place counts; null for none. */
    reader: readerSchema.unwrap().shape.reader.nullable(),
    /** Since this place. Without it and without a reader, the answer is only where the record is now. */
    since: placeSchema.nullable(),
  })
  .readonly();

export type ChangesQuestion = z.output<typeof changesQuestionSchema>;

/** Tells that an answer has gone to its reader, who knows now what happened up to its place. */
export const readerMoveSchema = z.object({ ...readerSchema.unwrap().shape, place: placeSchema }).readonly();

export type ReaderMove = z.output<typeof readerMoveSchema>;
