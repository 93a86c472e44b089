import * as z from 'zod';

// Parts of what comes from Discord, from our storage and from other processes.

/** An id as Discord and servers like it write it. */
export const snowflake = z.string().regex(/^\d{1,20}$/);

export const nonNegativeInt = z.int().nonnegative();

/** A sentence, or something opaque. */
export const shortText = z.string().max(2_000);
