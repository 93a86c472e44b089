import * as z from 'zod';

import { nonNegativeInt } from '../../kernel/schemas.ts';
import {
  booleanish,
  holdsPlaceholder,
  idList,
  isVisible,
  oneOf,
  stringWithoutPlaceholder,
  snowflake,
} from '../fields.ts';
import { problemMessage } from '../input-problem.ts';
import { PAYLOAD_FORMS } from '../text-splitter/payloads.ts';
import { input as splitInput } from '../text-splitter/request.ts';

/** These four: Discord's limits on the fields of the same names. */
const USERNAME_LENGTH_MAX = 80;
const THREAD_NAME_LENGTH_MAX = 100;
const AVATAR_URL_LENGTH_MAX = 2_048;
const TAGS_MAX = 5;
const MENTIONS = ['none', 'users', 'roles'] as const;

function name(lengthMax: number) {
  const message = problemMessage('invalid_field/characters', { max: lengthMax });
  return z
    .string(problemMessage('invalid_field/text'))
    .trim()
    .min(1, message)
    .max(lengthMax, message)
    .refine(isVisible, problemMessage('invalid_field/invisible'))
    .optional();
}

/** All options of the text splitter, except those that only make sense when the caller gets the chunks. */
export const input = splitInput.omit({ details: true, index: true, final: true, overflow: true }).extend({
  as: oneOf(PAYLOAD_FORMS, 'How it is shown: as messages, in embeds or as text displays.').default('message'),
  username: name(USERNAME_LENGTH_MAX).meta({
    description: "Name above the messages, in place of the webhook's.",
  }),
  avatar_url: stringWithoutPlaceholder('invalid_field/text', holdsPlaceholder)
    .transform(normalizeUrl)
    .refine(isWebUrl, problemMessage('invalid_field/web_address', { max: AVATAR_URL_LENGTH_MAX }))
    .optional()
    .meta({ type: 'string', description: 'Picture beside the messages.' }),
  thread_id: snowflake('channel').optional().describe("A thread of the webhook's channel, in which to post."),
  thread_name: name(THREAD_NAME_LENGTH_MAX).meta({
    description: 'In a forum: the name of a new thread for all messages.',
  }),
  applied_tags: idList(undefined, TAGS_MAX, 'invalid_field/tag').optional().meta({
    description: 'In a forum, with `thread_name`: ids of its tags, repeated or with commas.',
  }),
  silent: booleanish(false).meta({ description: 'Posts without notifications.' }),
  previews: booleanish(true).meta({
    description: '`false`: links show no previews. Only for `as=message`; the others never show any.',
  }),
  mentions: oneOf(
    MENTIONS,
    '`users`: pings the people whom the text mentions. `roles`: pings roles, too; not for texts by strangers. @everyone is never pinged. Not with `as=embed`, where mentions never ping.',
  ).default('none'),
});

/** With all defaults filled in. */
export type SendRequest = z.output<typeof input>;

/** Normalises a URL in the way the check reads it, so that Discord sees the same URL. Other texts stay as they are. */
function normalizeUrl(text: string): string {
  if (text.length > AVATAR_URL_LENGTH_MAX) return text;
  return URL.parse(text)?.href ?? text;
}

function isWebUrl(text: string): boolean {
  return text.length <= AVATAR_URL_LENGTH_MAX && /^https?:/.test(text) && URL.canParse(text);
}

export const output = z.object({
  state: z
    .enum(['sent', 'stopped'])
    .describe('`sent`: all of the text was posted. `stopped`: `reason` says why not'),
  total: nonNegativeInt.describe('Number of messages that the text makes'),
  sent: nonNegativeInt.describe('Number of messages that have certainly arrived'),
  message_ids: z.array(z.string()).describe('Ids of these messages, in order'),
  channel_id: z
    .string()
    .nullable()
    .describe('The channel or thread of the message that was posted last; null before'),
  uncertain: z
    .boolean()
    .describe(
      'True when the next message may have arrived, too. Never send `rest` again then without looking into the channel',
    ),
  rest: z
    .string()
    .nullable()
    .describe('With `stopped`: the text from the first message that has not certainly arrived'),
  reason: z.string().nullable().describe('With `stopped`: why, in a sentence'),
  retry_after: nonNegativeInt
    .nullable()
    .describe(
      'With `stopped`: seconds to wait, 0 for none, before you send `rest` with the same options, but without `dialect`. Null when sending it would not help, or could post twice',
    ),
});

export type SendAnswer = z.input<typeof output>;
