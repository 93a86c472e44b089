import * as z from 'zod';

export const snowflake = z.string().regex(/^\d{1,20}$/);

export const whole = z.int().nonnegative();

export const version = z.string().max(2_000);

export const BOT_CHOICES = ['include', 'exclude', 'only'] as const;

export type BotChoice = (typeof BOT_CHOICES)[number];
