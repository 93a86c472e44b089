import * as z from 'zod';

// Parts of what comes from Discord, from our storage and from other processes.

/** An id as Discord and servers like it write it. */
export const snowflake = z.string().regex(/^\d{1,20}$/);

/** A whole number from 0 on. */
export const whole = z.int().nonnegative();

/** How many. */
export const count = z.int().nonnegative();

/** In the unit of its key. */
export const instant = z.int().nonnegative();

/** A sentence, or something opaque. */
export const shortText = z.string().max(2_000);
