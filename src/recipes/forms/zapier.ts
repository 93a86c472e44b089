import { answerChecks, headersOf, listOf, replyFields, type Operators } from '../form.ts';
import {
  NOTHING,
  hasWord,
  chooseByUse,
  takesText,
  type Pair,
  type RecipeParts,
  type ByUse,
} from '../recipe.ts';
import type { RecipeWriter } from '../recipe-writer.ts';
import { EMOJIS_URL, memberUrl, TOKEN_PLACEHOLDER, withOption, withUntil } from '../request-fields.ts';
import { PINGS_NOTE, botNeeds, channelSteps, firstTestSteps, webhookSteps } from '../shared-steps.ts';
import { EMOJI_NAME_REPLIES, type Replies, type ShowKey } from '../seen-in-discord.ts';
import { SENTENCES } from '../sentences.ts';
import { doStep, check, fill, type FormField, type Step } from '../steps.ts';

const SEND = 'Discord > Send Channel Message';
const EXTRACT = 'Formatter by Zapier > Text > Extract Pattern';
const FILTER = 'Filter by Zapier';
const REPLACE = 'Formatter by Zapier > Text > Replace';
const REQUEST = 'Webhooks by Zapier > Custom Request';

/** `user_id` → `User Id`, as Zapier shows the keys of an answer. */
function toTitle(key: string): string {
  return key.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
}

const TEXT = '{{your text}}';
/** The first group of the pattern in `gate`. */
const AFTER_WORD = '{{Output 1}}';

const result = (key: string) => `{{${toTitle(key)}}}`;

const OPERATORS: Operators = {
  isTrue: ['(Boolean) Is true', null],
  isFalse: ['(Boolean) Is false', null],
  // A request without an answer stops the Zap.
  isNotTrue: null,
  isEmpty: ['Does not exist', null],
  isNotEmpty: ['Exists', null],
  is: (value) => ['(Text) Exactly matches', value],
  isAbove: (value) => ['(Number) Greater than', String(value)],
};

const DISCORD_HEADERS: readonly FormField[] = [
  [REQUEST, 'Headers: Content-Type', 'application/json'],
  [REQUEST, 'Headers: Authorization', `Bot ${TOKEN_PLACEHOLDER}`],
];

/** Zapier writes a list of objects as a list for each of their keys. */
const REPLIES: Replies = {
  ...EMOJI_NAME_REPLIES,
  list_roles: (showKey) =>
    `${showKey('members')} members. Roles: ${showKey('roles_role_id')}. Members of each: ${showKey('roles_count')}`,
};

/** Steps on the path for success, before the reply. */
const ACTIONS: ByUse<readonly FormField[]> = {
  ...NOTHING,
  // Zapier's app for Discord pings all users that a text mentions. This character looks the same, and is not a mention.
  time_out: [
    [REPLACE, 'Input', result('reason')],
    [REPLACE, 'Find', '@'],
    [REPLACE, 'Replace', '＠'],
    [REQUEST, 'Method', 'PATCH'],
    [REQUEST, 'URL', memberUrl(result('user_id'))],
    [REQUEST, 'Data', `{"communication_disabled_until":"${result('until_iso')}"}`],
    ...DISCORD_HEADERS,
  ],
  make_emoji: [
    [REQUEST, 'Method', 'POST'],
    [REQUEST, 'URL', EMOJIS_URL],
    [REQUEST, 'Data', `{"name":"new_emoji","image":"${result('data_uri')}"}`],
    ...DISCORD_HEADERS,
  ],
  send_chunks: [
    ['Looping by Zapier > Create Loop From Line Items', 'chunk', result('chunks')],
    [SEND, '{{Chunk}}'],
  ],
};

/** @see https://help.zapier.com/hc/en-us/articles/8496326446989-Send-webhooks-in-Zaps */
export const zapier: RecipeWriter = {
  checked:
    "Written from Zapier's help pages (Webhooks, Paths, Looping, Filter, Formatter); Zapier has no public source, so it was not checked in the editor.",
  replies: REPLIES,
  begin: (parts) => [doStep('zapier.step'), gate(parts), ...channelSteps(parts), ...webhookSteps(parts)],
  fillIn(parts) {
    const { method, url, key, mainField, main, options, filledBy } = parts;
    const typed = hasWord(filledBy) ? AFTER_WORD : TEXT;
    const place = takesText(filledBy) ? typed : `{{your ${mainField}}}`;
    const fields: Pair[] = [
      [mainField, main ?? place],
      // Webhooks by Zapier stops the Zap at any status but 2xx, before it can show the error.
      ...withOption(withUntil(options, parts), 'always_200', 'true'),
    ];
    return [
      doStep('zapier.source'),
      fill('zapier.request', [
        ['App', 'Webhooks by Zapier'],
        ['Event', method],
        ['URL', url],
        ...(method === 'GET'
          ? listOf('Query String Params', fields)
          : ([['Payload Type', 'form'], ...listOf('Data', fields)] satisfies FormField[])),
        ...listOf('Headers', headersOf(key, parts)),
      ]),
      ...(main === null && !takesText(filledBy)
        ? [doStep('common.input', { variable: `\`${mainField}\``, place: `\`${place}\`` })]
        : []),
      ...(parts.secret === 'Webhook' ? [doStep('zapier.webhook')] : []),
      ...firstTestSteps(parts, `\`${place}\``, 'message'),
      doStep('zapier.test'),
      ...check(
        'zapier.checks',
        answerChecks(parts, { operators: OPERATORS, value: result, prefix: '!', runsAll: true }),
      ),
      fill('zapier.fallback', [
        ...chooseByUse(ACTIONS, parts),
        ...replyFields(parts, REPLIES, shownIn(parts), SEND),
      ]),
      ...(parts.use === 'time_out' || parts.use === 'make_emoji'
        ? [fill('zapier.refused', [[SEND, SENTENCES.forbidden]], { needs: botNeeds(parts) })]
        : []),
      doStep('zapier.publish'),
    ];
  },
  note: (parts) =>
    [
      'Where the service is away, Zapier stops the Zap and tells you.',
      ...(parts.use === 'send_chunks' ? [PINGS_NOTE] : []),
    ].join(' '),
};

/**
 * Zapier's filter knows no ends of words, so a step with a pattern finds the command, and what follows it.
 * @see https://help.zapier.com/hc/en-us/articles/8496180919949-Filter-and-path-rules-in-Zaps
 */
function gate({ operation }: RecipeParts): Step {
  const { command } = operation.recipe;
  return fill(
    'zapier.gate',
    [
      [EXTRACT, 'Input', TEXT],
      [EXTRACT, 'Pattern', `^!${command}(?:\\s+([\\s\\S]*))?$`],
      [FILTER, 'Only continue if…', '{{Output 0}}'],
      [FILTER, 'Condition', 'Exists'],
    ],
    { command },
  );
}

/** The reason is shown after its step has taken the mentions out of it. */
function shownIn({ use }: RecipeParts): ShowKey {
  return (key) => result(use === 'time_out' && key === 'reason' ? 'output' : key);
}
