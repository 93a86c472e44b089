import * as z from 'zod';

import { booleanish } from '../fields.ts';
import { issueDetails } from '../input-problem.ts';
import { defineOperation } from '../operation.ts';
import { parseLine, type CommandLine } from './parse-line.ts';
import { replaceMentions } from './ping-to-id.ts';
import { isVisible } from './shadow-text.ts';

/** UTF-16 units: what a Discord message can hold with Nitro. */
export const LINE_UNITS_MAX = 4000;

const TEXT_STATUSES = ['time_and_reason', 'time_only', 'reason_only', 'none'] as const;

export const parseArgs = defineOperation({
  name: 'parse-args',
  path: '/api/parse-args',
  method: 'POST',
  summary: 'Take a command line apart into command, user, duration and reason.',
  description:
    'Reads lines such as `!tempban @user 7d spamming links`, also with the duration first or the mention last, and times in English, Spanish, Portuguese, French, German, Turkish and Russian. Nothing is clamped: Discord limits a timeout to 28 days (2,419,200 seconds) and an audit-log reason to 512 characters. For a line without anything readable, all values are null.',
  textField: 'text',
  input: z.object({
    text: z
      .string('must be a string')
      .superRefine((text, context) => {
        if (text.length > LINE_UNITS_MAX) {
          context.addIssue({
            code: 'custom',
            message: `is longer than ${LINE_UNITS_MAX.toLocaleString('en')} characters`,
            ...issueDetails('text_too_long'),
          });
        } else if (!isVisible(text)) {
          context.addIssue({ code: 'custom', message: 'is empty', ...issueDetails('missing_field') });
        }
      })
      .meta({
        description: `The line, 1 to ${LINE_UNITS_MAX} UTF-16 units.`,
        minLength: 1,
        maxLength: LINE_UNITS_MAX,
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
  }),
  output: z.object({
    prefix: z
      .string()
      .nullable()
      .meta({ examples: ['!'] }),
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
      .meta({ examples: ['123456789012345678'] }),
    channel_id: z.string().nullable().meta({
      description: 'The first channel mention after the command or among the users.',
    }),
    role_id: z.string().nullable().meta({
      description: 'The first role mention after the command or among the users.',
    }),
    duration: z
      .string()
      .nullable()
      .meta({ description: 'As typed.', examples: ['7d'] }),
    duration_ms: z
      .number()
      .nullable()
      .meta({ examples: [604_800_000] }),
    duration_seconds: z
      .number()
      .nullable()
      .meta({ examples: [604_800] }),
    permanent: z.boolean().meta({ description: 'The duration is a word such as `permanent`.' }),
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
      .meta({ examples: ['spamming links'] }),
    args: z.array(z.string()).meta({ description: 'All words after the command, as typed.' }),
    mentions: z.array(z.string()).meta({ description: 'Distinct user ids, targets first.' }),
    flags: z
      .record(z.string(), z.union([z.literal(true), z.string()]))
      .meta({ description: 'Long flags such as `--silent` or `--reason="…"`.' }),
    textstatus: z.enum(TEXT_STATUSES).optional(),
    has_time: z.boolean().optional(),
    has_reason: z.boolean().optional(),
  }),
  example: {
    input: { text: '!tempban <@123456789012345678> 7d spamming links' },
    answer: {
      prefix: '!',
      command: 'tempban',
      subcommand: null,
      user: '<@123456789012345678>',
      user_id: '123456789012345678',
      channel_id: null,
      role_id: null,
      duration: '7d',
      duration_ms: 604_800_000,
      duration_seconds: 604_800,
      permanent: false,
      until: null,
      reason: 'spamming links',
      args: ['<@123456789012345678>', '7d', 'spamming', 'links'],
      mentions: ['123456789012345678'],
      flags: {},
    },
  },
  problems: ['text_too_long'],
  recipe: { field: 'text', filledBy: 'line', withoutCommand: { args_only: 'true' }, use: 'time_out' },
  run({ text, pingtoid, textstatus, args_only, timestamps }, { now }) {
    const line = parseLine(text, args_only);
    const hasTime = line.duration !== null;
    const hasReason = line.reason !== null;
    const replace = pingtoid ? replaceMentions : (value: string) => value;
    const { durationMs, until } = timestamps ? countFrom(now(), line) : line;
    return {
      value: {
        prefix: line.prefix,
        command: line.command,
        subcommand: line.subcommand,
        user: pingtoid ? (line.userId ?? line.user) : line.user,
        user_id: line.userId,
        channel_id: line.channelId,
        role_id: line.roleId,
        duration: line.duration,
        duration_ms: durationMs,
        duration_seconds: durationMs === null ? null : durationMs / 1000,
        permanent: line.permanent,
        until,
        reason: line.reason === null ? null : replace(line.reason),
        args: line.args.map(replace),
        mentions: [...line.mentions],
        flags: { ...line.flags },
        ...(timestamps ? describeEnd(until) : {}),
        ...(textstatus
          ? { textstatus: describeStatus(hasTime, hasReason), has_time: hasTime, has_reason: hasReason }
          : {}),
      },
    };
  },
});

type Times = Pick<CommandLine, 'durationMs' | 'until'>;

/** When a duration ends, or how long it is until a timestamp; null for one that is past. */
function countFrom(nowMs: number, { durationMs, until }: Times): Times {
  if (durationMs !== null) return { durationMs, until: Math.floor((nowMs + durationMs) / 1000) };
  if (until === null) return { durationMs, until };
  const leftMs = until * 1000 - nowMs;
  return { durationMs: leftMs > 0 ? leftMs : null, until };
}

function describeEnd(until: number | null) {
  return {
    until_iso: until === null ? null : new Date(until * 1000).toISOString(),
    until_markdown: until === null ? null : `<t:${until}:R>`,
  };
}

function describeStatus(hasTime: boolean, hasReason: boolean): (typeof TEXT_STATUSES)[number] {
  if (hasTime) return hasReason ? 'time_and_reason' : 'time_only';
  return hasReason ? 'reason_only' : 'none';
}
