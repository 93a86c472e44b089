import { headersOf, listOf, replyLines, writeForm, type FormLines } from './form.ts';
import {
  linesFor,
  takeApart,
  WEBHOOK_PLACEHOLDER,
  webhookSteps,
  whoSetsOff,
  withOption,
  type FormField,
  type Pair,
  type RecipeBook,
  type RecipeParts,
} from './recipe.ts';
import { seeIt, TOLD, type Replies, type Show } from './seen-in-discord.ts';
import { SAY, wordedChecks } from './sentences.ts';

const result = (name: string) => `{{2.data.${name}}}`;
const route = (filter: string, message: string) =>
  `Route with the filter ${filter}: Discord > Send a Message: ${message}`;
const WORKED = `Last route, as the fallback`;

const CHECKS = wordedChecks(result, route, '=');

/** Lines between the request and the reply. */
const ACT: FormLines = {
  ...CHECKS,
  time_out: [
    route(`${result('user_id')} does not exist`, SAY.noMember('!')),
    route(`${result('duration_seconds')} does not exist`, SAY.noTime('!')),
  ],
  make_role: [],
  send_chunks: [
    `${WORKED}: Iterator over ${result('chunks')}, and Discord > Send a Message with {{3.value}}`,
  ],
  make_emoji: [
    ...CHECKS.make_emoji,
    `${WORKED}: HTTP > Make a request, POST https://discord.com/api/v10/guilds/YOUR_SERVER_ID/emojis`,
    'Its header: Authorization = Bot YOUR_BOT_TOKEN',
    `Its JSON body: {"name":"new_emoji","image":"${result('data_uri')}"}`,
  ],
  show: () => [],
};

const REPLIES: Replies = { ...TOLD, make_emoji: () => 'New emoji: new_emoji' };

const FAILED = `A Router after it. ${route(`${result('ok')} = false`, result('error'))}`;

/** @see https://apps.make.com/http */
export const make: RecipeBook = {
  label: 'Make',
  checked:
    'Written from the documentation of the HTTP app, version 4; Make has no public source, so it was not checked in the editor.',
  write(order) {
    const parts = takeApart(order);
    const { method, url, key, mainField, main, options, filledBy, secret } = parts;
    const variable = `1.${filledBy === 'long_text' ? 'data' : mainField}`;
    const isPosting = secret === 'Webhook';
    const fields: Pair[] = [
      [mainField, main ?? `{{${variable}}}`],
      // Any other status ends the scenario before it can show why.
      ...withOption(options, 'always_200', 'true'),
    ];
    return {
      ...writeForm(
        [
          // A credential is not in the scenario, so it is not shared with it.
          ...(isPosting
            ? ([
                ['Authentication type', 'API key'],
                ['Credentials', 'Key', WEBHOOK_PLACEHOLDER],
                ['Credentials', 'API key placement', 'In the header'],
                ['Credentials', 'API key parameter name', 'Webhook'],
              ] satisfies FormField[])
            : ([['Authentication type', 'No authentication']] satisfies FormField[])),
          ['URL', url],
          ['Method', method],
          ...listOf('Headers', headersOf(key, { secret: isPosting ? null : secret })),
          ...(isPosting && main === null
            ? listOf('Headers', [['Idempotency-Key', `{{md5(${variable})}}`]])
            : []),
          ...(method === 'GET'
            ? listOf('Query parameters', fields)
            : ([
                ['Body content type', 'application/x-www-form-urlencoded'],
                ...listOf('Field', fields),
              ] satisfies FormField[])),
          ['Parse response', 'Yes'],
        ],
        [FAILED, ...linesFor(ACT, parts), ...replyLines(parts, REPLIES, shownIn(parts), replyOf(parts))],
      ),
      language: '',
      before: [
        'Open your scenario and add the module *HTTP > Make a request*, version 4, after the one that has your text. In *HTTP (legacy)*, version 3, some fields have other names.',
        ...webhookSteps(
          parts,
          'The address goes into a credential of the module, which stays yours when you share the scenario.',
        ),
        ...whoSetsOff(parts),
      ],
      afterwards: ['Save the scenario and press *Run once*.'],
      seen: seeIt(parts, 'message', REPLIES),
      note: '1 is the module with your text, 2 is this one. A form takes quotes and line breaks as they are. It is safer to keep the key in a credential of the type API key than in the header. Where the service is away, Make stops the scenario and tells you.',
    };
  },
};

function shownIn({ operation }: RecipeParts): Show {
  const { answer } = operation.example;
  return (key) => (Array.isArray(answer[key]) ? `{{join(2.data.${key}; ", ")}}` : result(key));
}

function replyOf({ use }: RecipeParts): (text: string) => string {
  const way = use === 'make_emoji' ? '' : `${WORKED}: `;
  return (text) => `${way}Discord > Send a Message: ${text}`;
}
