import * as z from 'zod';

import { EventLoopQueue } from '../../kernel/event-loop-queue.ts';
import { Problem } from '../../kernel/problem.ts';
import { defineOperation } from '../define-operation.ts';
import { mistakenText } from '../fields.ts';
import { problemMessage } from '../input-problem.ts';
import { checkMessage } from './check-message.ts';
import { joinError } from './join-error.ts';
import type { Sender } from './message-fields.ts';
import { type DiscordError, LibraryCheck, readError } from './read-error.ts';
import { isSmall, readJson } from './read-message.ts';
import { type Fields, isObject, KINDS, toFinding } from './check-context.ts';

/** Of each list; `count` has all. */
const FINDINGS_MAX = 100;

/** Keeps the object itself, because a copy made by zod lacks `__proto__`. */
const ANY_OBJECT = z.custom<Fields>(isObject).meta({ type: 'object', additionalProperties: true });
const OBJECT_OR_TEXT = z.union([ANY_OBJECT, z.string()], problemMessage('invalid_field/message'));

const finding = z.object({
  path: z
    .string()
    .nullable()
    .meta({ description: 'The place, as in `embeds[0].title`; null is the whole message.' }),
  kind: z.enum(KINDS),
  text: z.string().meta({ description: 'One or two sentences for people.' }),
  limit: z.number().nullable(),
  value: z.number().nullable(),
  fixed: z.boolean().meta({ description: '`fixed` of the answer has it right.' }),
  discord: z.string().nullable().meta({ description: 'What Discord said about this place.' }),
});

const totals = z.object({
  content: z.int().nullable(),
  embeds: z.int().nullable(),
  embed_characters: z.int().nullable(),
  components: z.int().nullable(),
  text_display_characters: z.int().nullable(),
});

const NO_TOTALS = {
  content: null,
  embeds: null,
  embed_characters: null,
  components: null,
  text_display_characters: null,
};

export const messageCheck = defineOperation({
  name: 'message-check',
  path: '/api/message-check',
  method: 'POST',
  summary: 'Says why Discord refuses a message, and puts it right',
  description: `Send the message as you send it to Discord, or what Discord answered (\`Invalid Form Body\`, \`{"embeds":["0"]}\`,
\`Cannot send an empty message\`), or both. The answer lists what Discord refuses, each with its place, the limit and what
is there, and what it takes but shows otherwise than meant. \`fixed\` is the message with everything put right that has
one reading: a colour as \`#ff0000\`, a time in seconds, one embed where a list belongs. No text is cut.

You may also post the message itself here in place of Discord, or Discord's answer: change nothing but the URL.
Nothing is sent to Discord or kept.`,
  textField: 'message',
  keepsEmpty: [],
  readWholeBody,
  noCommandReason: 'A message is JSON in an editor, and longer than the option of a command may be.',
  input: z.object({
    message: OBJECT_OR_TEXT.superRefine((value, context) => {
      const key = typeof value === 'string' ? mistakenText(value) : null;
      if (key !== null) context.addIssue({ code: 'custom', message: problemMessage(key) });
    })
      .describe('The message as Discord gets it: an object, or its JSON as a string.')
      .optional()
      .meta({ examples: [{ content: 'Hello', embeds: [{ color: '#ff0000' }] }] }),
    error: OBJECT_OR_TEXT.describe('What Discord answered, or what the library printed.')
      .optional()
      .meta({ examples: ['{"embeds": ["0"]}'] }),
    sent_by: z
      .enum(['bot', 'webhook', 'interaction'], problemMessage('invalid_field/sent_by'))
      .default('bot')
      .describe('Who sends it.'),
  }),
  output: z.object({
    valid: z.boolean().nullable().meta({ description: 'Null without a message.' }),
    count: z.int().meta({ description: 'All problems, of which 100 are listed.' }),
    left: z.int().meta({ description: 'Problems that are still in `fixed`.' }),
    problems: z.array(finding).meta({ description: 'What Discord refuses.' }),
    notices: z.array(finding).meta({ description: 'What it takes, and ignores or shows otherwise.' }),
    totals,
    fixed: ANY_OBJECT.nullable().meta({ description: 'The message put right; null when nothing was.' }),
  }),
  example: {
    input: {
      message: '{"content": "Build 42", "embeds": [{"title": "Passed", "color": "#2ecc71"}]}',
      sent_by: 'webhook',
    },
    answer: {
      valid: false,
      count: 1,
      left: 0,
      problems: [
        {
          path: 'embeds[0].color',
          kind: 'format',
          text: 'embeds[0].color is "#2ecc71"; Discord wants a number, 3066993.',
          limit: null,
          value: null,
          fixed: true,
          discord: null,
        },
      ],
      notices: [],
      totals: { content: 8, embeds: 1, embed_characters: 6, components: 0, text_display_characters: 0 },
      fixed: { content: 'Build 42', embeds: [{ title: 'Passed', color: 3_066_993 }] },
    },
  },
  problems: [],
  async run({ message, error, sent_by: sender }, { signal }) {
    if (message === undefined && error === undefined)
      throw new Problem('missing_field/message', { field: 'message' });
    if (!checks.hasTime()) await checks.next(signal);
    return { value: checkAll(message, error, sender) };
  },
});

/** A large message takes up to 60 ms, and one key may send many at once. */
const checks = new EventLoopQueue(() => performance.now());

function checkAll(given: string | Fields | undefined, answer: string | Fields | undefined, sender: Sender) {
  const error = answer === undefined ? null : toError(answer);
  const { message, fault } = given === undefined ? {} : toMessage(given);
  const checked = message === undefined ? null : checkMessage(message, sender);
  // Discord answers 50109 to invalid JSON.
  const faults = fault === undefined ? [] : [toFinding(null, 'json', fault)];
  const { problems, notices } = joinError(
    checked ?? { problems: faults, notices: [] },
    error,
    message,
    sender,
  );
  return {
    valid: given === undefined ? null : problems.length === 0,
    count: problems.length,
    left: problems.filter(({ fixed }) => !fixed).length,
    problems: problems.slice(0, FINDINGS_MAX),
    notices: notices.slice(0, FINDINGS_MAX),
    totals: checked?.totals ?? NO_TOTALS,
    fixed: checked?.fixed ?? null,
  };
}

/**
 * Accepts a body that was meant for Discord, or that Discord answered.
 * @param isField true for one of our fields, in any spelling
 */
function readWholeBody(body: Readonly<Record<string, unknown>>, isField: (name: string) => boolean) {
  const { message, code } = body;
  if (typeof message === 'string' && typeof code === 'number') return { error: body };
  const isMessage = Object.keys(body).every((name) => !['message', 'error'].includes(name.toLowerCase()));
  return isMessage && Object.keys(body).some((name) => !isField(name)) ? { message: body } : body;
}

/** @throws Problem `invalid_field` */
function toMessage(given: string | Fields): { readonly message?: Fields; readonly fault?: string } {
  const read = typeof given === 'string' ? readJson(given) : { value: given };
  if ('fault' in read) return read;
  if (!isObject(read.value)) throw new Problem('invalid_field/message', { field: 'message' });
  if (!isSmall(read.value)) throw new Problem('invalid_field/message_size', { field: 'message' });
  return { message: read.value };
}

/** @throws Problem `invalid_field` */
function toError(given: string | Fields): DiscordError {
  try {
    const error = isObject(given) && !isSmall(given) ? null : readError(given);
    if (error !== null) return error;
  } catch (cause) {
    if (!(cause instanceof LibraryCheck)) throw cause;
    throw new Problem('invalid_field/library_check', { field: 'error', cause });
  }
  throw new Problem('invalid_field/discord_error', { field: 'error' });
}
