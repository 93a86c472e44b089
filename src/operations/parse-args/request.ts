import * as z from 'zod';

import { booleanish, freeText, isVisible } from '../fields.ts';
import { problemMessage } from '../input-problem.ts';

/** UTF-16 code units: the most in a Discord message with Nitro. */
export const LINE_LENGTH_MAX = 4000;

const TEXT_STATUSES = ['time_and_reason', 'time_only', 'reason_only', 'none'] as const;

export type TextStatus = (typeof TEXT_STATUSES)[number];

export const input = z.object({
  text: freeText('invalid_field/string')
    .superRefine((text, context) => {
      if (text.length > LINE_LENGTH_MAX) {
        context.addIssue({
          code: 'custom',
          message: problemMessage('text_too_long/characters', { max: LINE_LENGTH_MAX }),
        });
      } else if (!isVisible(text)) {
        context.addIssue({ code: 'custom', message: problemMessage('missing_field/empty') });
      }
    })
    .meta({
      description: `The line as it was typed, 1 to ${LINE_LENGTH_MAX.toLocaleString('en')} characters.`,
      minLength: 1,
      maxLength: LINE_LENGTH_MAX,
      examples: ['!tempban <@123456789012345678> 7d spamming links'],
    }),
  pingtoid: booleanish(false).describe(
    'Replace user mentions with their ids in `user`, `reason` and `args`.',
  ),
  textstatus: booleanish(false).describe('Add `textstatus`, `has_time` and `has_reason`.'),
  args_only: booleanish(false).describe(
    "The text is only what follows the command, as in BDFD's, aoi.js's and ForgeScript's `$message`.",
  ),
  timestamps: booleanish(false).describe(
    'Count from now: fill `until` for a duration and the duration for a timestamp, and add `until_iso` and `until_markdown`.',
  ),
});

export type LineRequest = z.output<typeof input>;

export const output = z.object({
  prefix: z
    .string()
    .nullable()
    .meta({
      description: 'What stands before the command: `!`, `c!`, an emoji, a mention of the bot.',
      examples: ['!'],
    }),
  command: z
    .string()
    .nullable()
    .meta({ description: 'Lower case.', examples: ['tempban'] }),
  subcommand: z.string().nullable().meta({ description: 'The verb after a command such as `!mod ban`.' }),
  user: z
    .string()
    .nullable()
    .meta({ description: 'As typed; the id with `pingtoid`.', examples: ['<@123456789012345678>'] }),
  user_id: z
    .string()
    .nullable()
    .meta({
      description:
        'The id of the first target. Null for a typed `@name`: Discord writes an id only for a name that was picked from its list.',
      examples: ['123456789012345678'],
    }),
  channel_id: z.string().nullable().meta({
    description: 'The first channel mention before the reason.',
  }),
  role_id: z.string().nullable().meta({
    description: 'The first role mention before the reason.',
  }),
  duration: z
    .string()
    .nullable()
    .meta({ description: 'As typed.', examples: ['7d'] }),
  duration_ms: z
    .number()
    .nullable()
    .meta({
      description: 'Its length. With `timestamps`, the time left until a timestamp; null when it is past.',
      examples: [604_800_000],
    }),
  duration_seconds: z
    .number()
    .nullable()
    .meta({ examples: [604_800] }),
  permanent: z.boolean().meta({
    description: 'The duration is a word such as `permanent`, `forever` or `∞`. Its lengths are null then.',
  }),
  until: z.number().int().nullable().meta({
    description:
      'Unix seconds of a Discord timestamp where the duration would be. With `timestamps`, also the end of a duration.',
  }),
  until_iso: z
    .string()
    .nullable()
    .optional()
    .meta({ description: '`until` as an ISO 8601 date in UTC. Only with `timestamps`.' }),
  until_markdown: z
    .string()
    .nullable()
    .optional()
    .meta({ description: '`until` as `<t:…:R>`. Only with `timestamps`.' }),
  reason: z
    .string()
    .nullable()
    .meta({
      description:
        'The rest exactly as typed, with line breaks and Markdown. Quotes around all of it and `reason:` before it are left out.',
      examples: ['spamming links'],
    }),
  args: z.array(z.string()).meta({ description: 'All words after the command, as typed.' }),
  mentions: z.array(z.string()).meta({ description: 'Distinct user ids, targets first.' }),
  flags: z.record(z.string(), z.union([z.literal(true), z.string()])).meta({
    description:
      '`--silent` is true, `--days=7` and `--note="two words"` are strings. Names are in lower case, with `_` for `-`. Flags stand before the reason or at the very end. `--reason="…"` fills an empty reason.',
  }),
  textstatus: z.enum(TEXT_STATUSES).optional(),
  has_time: z.boolean().optional(),
  has_reason: z.boolean().optional(),
});

export type LineAnswer = z.input<typeof output>;
