import * as z from 'zod';

import { nonNegativeInt, snowflake } from '../../kernel/schemas.ts';
import { BOT_FILTERS } from '../bot-filter.ts';

/** A position in a change log, after an entry. */
export const offsetSchema = z
  .object({
    /** The random id of the log. */
    epoch: z.string().max(20),
    at: nonNegativeInt,
  })
  .readonly();

export type ChangeOffset = z.output<typeof offsetSchema>;

/** Identifies a reader. The same name with another role or another bot filter is another reader. */
export const readerSchema = z
  .object({
    guildId: snowflake,
    /** The guild's own id means all its members. */
    roleId: snowflake,
    bots: z.enum(BOT_FILTERS),
    reader: z.string().max(32),
  })
  .readonly();

export type Reader = z.output<typeof readerSchema>;

/** Reports that a reader has received all changes up to an offset, which messages between processes call `place`. */
export const readerOffsetSchema = z
  .object({ ...readerSchema.unwrap().shape, place: offsetSchema })
  .transform(({ place, ...reader }) => ({ ...reader, offset: place }))
  .readonly();

export type ReaderOffset = z.output<typeof readerOffsetSchema>;
