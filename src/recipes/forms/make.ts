import { answerChecks, headersOf, listOf, replyFields, type Operators } from '../form.ts';
import {
  NOTHING,
  hasWord,
  chooseByUse,
  type FilledBy,
  type Pair,
  type RecipeParts,
  type ByUse,
} from '../recipe.ts';
import type { RecipeWriter } from '../recipe-writer.ts';
import {
  CALLS_MAX,
  EMOJIS_URL,
  memberUrl,
  restOptions,
  SERVER_PLACEHOLDER,
  TOKEN_PLACEHOLDER,
  WEBHOOK_PLACEHOLDER,
  withOption,
  withUntil,
} from '../request-fields.ts';
import { PINGS_NOTE, botNeeds, channelSteps, webhookSteps } from '../shared-steps.ts';
import { EMOJI_NAME_REPLIES, type ShowKey } from '../seen-in-discord.ts';
import { AUDIT_REASON_MAX, SENTENCES } from '../sentences.ts';
import { doStep, check, fill, type Check, type FormField, type Step } from '../steps.ts';

const SEND = 'Discord > Send a Message';
const result = (name: string) => `{{2.data.${name}}}`;

/** Make's app for Discord pings all users that a text mentions. This character looks the same, and is not a mention. */
const quietly = (text: string) => `{{replace(${text}; "@"; "＠")}}`;

/** An error may quote a user's text. */
const value = (name: string) => (name === 'error' ? quietly('2.data.error') : result(name));

const OPERATORS: Operators = {
  isTrue: ['Equal to', 'true'],
  isFalse: ['Equal to', 'false'],
  // A request without an answer stops the scenario.
  isNotTrue: null,
  isEmpty: ['Does not exist', null],
  isNotEmpty: ['Exists', null],
  is: (value) => ['Equal to', value],
  isAbove: (value) => ['Greater than', String(value)],
};

/** Modules on the route for success, before the reply. */
const ACTIONS: ByUse<readonly FormField[]> = {
  ...NOTHING,
  time_out: [
    ['HTTP > Make a request', `PATCH ${memberUrl(result('user_id'))}`],
    ['Headers', 'Authorization', `Bot ${TOKEN_PLACEHOLDER}`],
    ['Headers', 'X-Audit-Log-Reason', `{{encodeURL(substring(2.data.reason; 0; ${AUDIT_REASON_MAX}))}}`],
    ['JSON body', `{"communication_disabled_until":"${result('until_iso')}"}`],
  ],
  send_chunks: [
    ['Iterator', result('chunks')],
    [SEND, '{{3.value}}'],
  ],
  list_roles: [
    ['Iterator', result('roles')],
    ['Tools > Text aggregator: Row separator', 'Other: ,'],
    ['Tools > Text aggregator: Text', '{{3.role_id}}: {{3.count}}'],
  ],
  make_emoji: [
    ['HTTP > Make a request', `POST ${EMOJIS_URL}`],
    ['Headers', 'Authorization', `Bot ${TOKEN_PLACEHOLDER}`],
    ['JSON body', `{"name":"new_emoji","image":"${result('data_uri')}"}`],
  ],
};

/** @see https://apps.make.com/http */
export const make: RecipeWriter = {
  sendsRest: true,
  checked:
    'Written from the documentation of the HTTP app, version 4, of If-else, Flow Control and Tools; not checked in the editor.',
  replies: EMOJI_NAME_REPLIES,
  begin: (parts) => [doStep('make.module'), gate(parts), ...channelSteps(parts), ...webhookSteps(parts)],
  fillIn: (parts) => [
    doStep('make.source'),
    fill('make.fields', requestFields(parts)),
    ...(parts.main === null && PLACES[parts.filledBy] === null ? [doStep('make.server')] : []),
    ...(parts.secret === 'Webhook' ? [doStep('make.credential')] : []),
    ...check('make.checks', checksOf(parts)),
    fill('make.else', [
      ...chooseByUse(ACTIONS, parts),
      ...replyFields(parts, EMOJI_NAME_REPLIES, shownIn(parts), SEND),
    ]),
    ...(parts.use === 'post_text' ? [fill('make.rest', restFields(parts))] : []),
    ...(parts.use === 'time_out' || parts.use === 'make_emoji'
      ? [fill('make.refused', [[SEND, SENTENCES.forbidden]], { needs: botNeeds(parts) })]
      : []),
    doStep('make.run'),
    doStep('make.on'),
  ],
  note: ({ use }) =>
    [
      'A form takes quotes and line breaks as they are. A credential of the type API key is safer than the header. Where the service is away, Make stops the scenario and tells you.',
      ...(use === 'send_chunks' ? [PINGS_NOTE] : []),
      ...(use === 'post_text'
        ? [
            '`var.scenario.executionId` is *Execution ID* under *Custom and system variables*: one for each run.',
          ]
        : []),
    ].join(' '),
};

/** @see https://help.make.com/filtering */
function gate({ operation }: RecipeParts): Step {
  const { command } = operation.recipe;
  return fill(
    'make.gate',
    [
      ['Label', `Only !${command}`],
      ['Condition', '{{1.content}}'],
      ['Operator', 'Text operators: Matches pattern'],
      ['Value', `^!${command}(\\s|$)`],
    ],
    { command },
  );
}

/**
 * What *Watch Channel Messages* has of a message: what Discord's API says of it, so everything but its server.
 * @see https://docs.discord.com/developers/resources/message#message-object
 */
const PLACES: Readonly<Record<FilledBy, string | null>> = {
  line: '1.content',
  text: '1.content',
  long_text: '1.content',
  role: '1.content',
  image: '1.attachments[1].url',
  user: '1.author.id',
  guild: null,
};

function requestFields(parts: RecipeParts): FormField[] {
  const { method, url, key, mainField, main, secret, filledBy } = parts;
  const options = withUntil(parts.options, parts);
  const { command } = parts.operation.recipe;
  const place = PLACES[filledBy];
  const variable = hasWord(filledBy) ? `replace(${place}; "/^!${command}\\b\\s*/"; emptystring)` : place;
  const isPosting = secret === 'Webhook';
  const fields: Pair[] = [
    [mainField, main ?? (variable === null ? SERVER_PLACEHOLDER : `{{${variable}}}`)],
    // Any other status ends the scenario before it can show the error.
    ...withOption(options, 'always_200', 'true'),
  ];
  return [
    // A credential is kept outside the scenario, so sharing the scenario does not share it.
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
    ...(isPosting && main === null && variable !== null
      ? listOf('Headers', [['Idempotency-Key', keyOf(variable)]])
      : []),
    ...(method === 'GET'
      ? listOf('Query parameters', fields)
      : ([
          ['Body content type', 'application/x-www-form-urlencoded'],
          ...listOf('Field', fields),
        ] satisfies FormField[])),
    ['Parse response', 'Yes'],
  ];
}

/**
 * The same for the same text within one run, as a run may repeat a request, and another in the next run.
 * @see https://help.make.com/system-variables
 */
function keyOf(text: string): string {
  return `{{var.scenario.executionId}}-{{md5(${text})}}`;
}

function checksOf(parts: RecipeParts): Check[] {
  const checks = answerChecks(parts, { operators: OPERATORS, value, prefix: '!' });
  if (parts.use !== 'post_text') return checks;
  // Texts that may have a rest get a route of their own: see `restFields`.
  const [how, right] = OPERATORS.isNotEmpty;
  const more = { left: result('retry_after'), check: how, right, also: [], reply: result('reason') };
  return checks.toSpliced(-1, 0, more);
}

/**
 * Modules that send the rest of a long text. They are on a route of their own, so that shorter texts cost no more
 * credits, and have filters, because Make allows no If-else after an If-else. A failed call has posted nothing, so the
 * same rest is sent again.
 * @see https://help.make.com/if-else-and-merge
 */
function restFields(parts: RecipeParts): FormField[] {
  const fields: Pair[] = [
    [parts.mainField, '{{13.rest}}'],
    ...withOption(restOptions(parts, result('channel_id')), 'always_200', 'true'),
  ];
  return [
    ...remember('11', result('rest'), result('retry_after')),
    ['12 Flow Control > Repeater: Repeats', String(CALLS_MAX - 1)],
    ['13 Tools > Get multiple variables', 'rest, wait'],
    ['Filter', '{{13.wait}} Exists'],
    // Takes 1 to 300 seconds.
    ['14 Tools > Sleep: Delay', '{{min(300; max(1; 13.wait))}}'],
    ...fields.map(([name, text]): FormField => [`15 HTTP: Field ${name}`, text]),
    ['15 HTTP: Header Idempotency-Key', keyOf('13.rest')],
    ...remember('16', '{{ifempty(15.data.rest; 13.rest)}}', '{{15.data.retry_after}}'),
    ['Filter', `{{16.wait}} Does not exist, or {{12.i}} Equal to ${CALLS_MAX - 1}`],
    [
      `17 ${SEND}`,
      '{{replace(ifempty(15.data.error; ifempty(15.data.reason; "All of it is posted.")); "@"; "＠")}}',
    ],
  ];
}

function remember(module: string, rest: string, wait: string): FormField[] {
  return [
    [`${module} Tools > Set multiple variables: rest`, rest],
    [`${module} Tools > Set multiple variables: wait`, wait],
  ];
}

function shownIn({ operation, use }: RecipeParts): ShowKey {
  const { answer } = operation.example;
  return (key) => {
    if (key === 'roles') return '{{substring(4.text; 0; 1900)}}';
    if (Array.isArray(answer[key])) return `{{join(2.data.${key}; ", ")}}`;
    return use === 'time_out' && key === 'reason' ? quietly(`2.data.${key}`) : result(key);
  };
}
