import { answerChecks, headersOf, listOf, replyFields, type Operators } from '../form.ts';
import { NOTHING, chooseByUse, permissionOf, type Pair, type RecipeParts, type ByUse } from '../recipe.ts';
import type { RecipeWriter } from '../recipe-writer.ts';
import { toJsonFields, TOKEN_PLACEHOLDER, withOption, withQuery } from '../request-fields.ts';
import { URL_NOTE, webhookSteps } from '../shared-steps.ts';
import { EMOJI_NAME_REPLIES, showFlat, type ShowKey } from '../seen-in-discord.ts';
import { AUDIT_REASON_MAX, SENTENCES } from '../sentences.ts';
import { doStep, check, fill, type FormField, type Step, type StepKey } from '../steps.ts';

const result = (name: string) => `\${tempVars("qm").${name}}`;

/**
 * *Check Variable* of 2.0.8 never matches a variable that is false or empty, and *Equals* runs its value as JavaScript.
 * So the variables are texts, and they are matched with a regex, which is not run.
 */
const OPERATORS: Operators = {
  isTrue: ['Matches Regex', 'true'],
  isFalse: ['Matches Regex', 'false'],
  isNotTrue: ['Matches Regex (If False)', 'true'],
  isEmpty: ['Matches Regex (If False)', '.+'],
  isNotEmpty: ['Matches Regex', '.+'],
  is: (value) => ['Matches Regex', value],
  isAbove: (value) => ['Greater Than', String(value)],
};

/** Conditions and loops take the name of a variable, so each value that they need gets one. */
const storing = (values: readonly Pair[]) => listOf('Control Variable', values);

const ACTIONS: ByUse<readonly Step[]> = {
  ...NOTHING,
  time_out: [
    fill('discord_bot_maker.member', [
      ['Source Field', 'Member ID'],
      ['Search Value', result('user_id')],
      ['Store In', 'Temp Variable target'],
    ]),
    // Without a member, *Timeout Member* does nothing and the command would go on.
    ...check('discord_bot_maker.found', [
      {
        left: 'target',
        check: 'Exists (If False)',
        right: null,
        also: [],
        reply: SENTENCES.noMember('!'),
      },
    ]),
    fill('discord_bot_maker.timeout', [
      ['Member', 'Temp Variable target'],
      ['Time', result('duration_seconds')],
      ['Reason', `\${tempVars("qm").reason.slice(0, ${AUDIT_REASON_MAX})}`],
    ]),
  ],
  // *Create Emoji* needs a PNG of *Create Image*, and gives Discord a promise in place of the picture.
  make_emoji: [
    fill('discord_bot_maker.emoji', [
      ['WebAPI Url', 'https://discord.com/api/v10/guilds/${server.id}/emojis'],
      ['Headers', `Authorization:Bot ${TOKEN_PLACEHOLDER}`],
      ['Method', 'Post'],
      ['Json To Post', `{"name":"new_emoji","image":"${result('data_uri')}"}`],
      ['Store Response In', 'Temp Variable emoji'],
    ]),
    fill('discord_bot_maker.list', storing([['emoji_id', 'String(tempVars("emoji").id)']])),
    ...check('discord_bot_maker.found', [
      {
        left: 'emoji_id',
        check: 'Matches Regex (If False)',
        right: '[0-9]+',
        also: [],
        reply: SENTENCES.forbidden,
      },
    ]),
  ],
  send_chunks: [
    fill('discord_bot_maker.list', storing([['chunks', 'tempVars("qm").chunks']])),
    fill('discord_bot_maker.loop', [
      ['Source List', 'Temp Variable chunks'],
      ['Temp Var. Name', 'chunk'],
      ['Send Message', '${tempVars("chunk")}'],
    ]),
  ],
};

/** The mod cuts a header at its second colon, so the URL of a webhook does not fit. */
const WEBHOOK_PARTS = 'WEBHOOK_ID/WEBHOOK_TOKEN';

/** @see https://github.com/dbm-network/mods/blob/master/actions/store_json_from_webapi_MOD.js */
export const discordBotMaker: RecipeWriter = {
  checked:
    'Written from the source of the mods (`store_json_from_webapi_MOD.js`, `send_json_to_webapi_MOD.js` and `store_attachment_info_MOD.js` of dbm-network/mods), of *Control Variable*, *Check Variable*, *Loop Through List*, *Find Member* and the actions that begin with *Store* (SomeRanDev/DBM, 2.0.8 and 2.1.7) and of *Timeout Member* (2.1.7); not checked in the editor.',
  replies: EMOJI_NAME_REPLIES,
  begin(parts) {
    const { mainField: variable, main, operation, filledBy } = parts;
    const permission = permissionOf(parts);
    return [
      doStep('discord_bot_maker.mods'),
      doStep('discord_bot_maker.make', { command: operation.recipe.command }),
      ...(permission === null ? [] : [doStep('discord_bot_maker.permission', { label: permission })]),
      ...(main === null ? [doStep(SOURCES[filledBy], { variable })] : []),
    ];
  },
  fillIn(parts) {
    const isRead = parts.queryMethod === 'GET';
    const replies = replyFields(parts, EMOJI_NAME_REPLIES, shownIn(parts), 'Send Message');
    const checks = answerChecks(parts, {
      operators: OPERATORS,
      value: result,
      left: (key) => key,
      prefix: '!',
    });
    const checked = [...new Set(checks.map(({ left }) => left))];
    return [
      ...webhookSteps(parts),
      fill('discord_bot_maker.request', isRead ? readingFields(parts) : sendingFields(parts), {
        action: actionOf(parts),
      }),
      ...(parts.secret === 'Webhook' ? [doStep('discord_bot_maker.webhook')] : []),
      fill('discord_bot_maker.store', storing(checked.map((key) => [key, `String(tempVars("qm").${key})`]))),
      ...check('discord_bot_maker.checks', checks),
      ...chooseByUse(ACTIONS, parts),
      ...(replies.length === 0 ? [] : [fill('discord_bot_maker.reply', replies)]),
      doStep('discord_bot_maker.save'),
    ];
  },
  note(parts) {
    const { main, filledBy, queryMethod } = parts;
    const isInQuery = queryMethod === 'GET' && main === null && !/^(?:user|guild|role)$/.test(filledBy);
    return `For *${actionOf(parts)}* of DBM Mods${queryMethod === 'GET' ? '; leave JSON Path empty to get everything' : ''}.${isInQuery ? ` ${URL_NOTE}` : ''}`;
  },
};

/** Templates are JavaScript. */
function shownIn(parts: RecipeParts): ShowKey {
  const flat = showFlat(parts, result);
  return (key) =>
    key === 'roles'
      ? '${tempVars("qm").roles.map((role) => role.role_id + ": " + role.count).join(", ").slice(0, 1900)}'
      : flat(key);
}

function actionOf({ queryMethod }: RecipeParts): string {
  return queryMethod === 'GET' ? 'Store Json From WebAPI' : 'Send Json to WebAPI';
}

function headerLines(parts: RecipeParts): FormField[] {
  return headersOf(parts.key, parts, { Webhook: WEBHOOK_PARTS }).map(([name, value]): FormField => [
    'Headers',
    `${name}:${value}`,
  ]);
}

function readingFields(parts: RecipeParts): FormField[] {
  const { url, mainField, main, options, use } = parts;
  // Chunks and roles are read as lists, all other values as texts.
  const query = use === 'send_chunks' || use === 'list_roles' ? options : withOption(options, 'flat', 'true');
  const address =
    main === null
      ? withQuery(url, query, `${mainField}=\${encodeURIComponent(tempVars("${mainField}"))}`)
      : withQuery(url, [[mainField, main], ...query]);
  return [
    ['WebAPI URL', address],
    ...headerLines(parts),
    ['JSON Path', ''],
    ['Store In', 'Temp Variable qm'],
  ];
}

function sendingFields(parts: RecipeParts): FormField[] {
  const { url, mainField, main, options } = parts;
  const value = main === null ? `\${JSON.stringify(tempVars("${mainField}"))}` : JSON.stringify(main);
  const others = JSON.stringify(toJsonFields(parts, withOption(options, 'flat', 'true')));
  return [
    ['WebAPI Url', url],
    ...headerLines(parts),
    ['Method', 'Post'],
    ['Json To Post', `{"${mainField}":${value},${others.slice(1)}`],
    ['Store Response In', 'Temp Variable qm'],
  ];
}

const SOURCES = {
  line: 'discord_bot_maker.storeLine',
  text: 'discord_bot_maker.storeText',
  long_text: 'discord_bot_maker.storeText',
  image: 'discord_bot_maker.storeImage',
  role: 'discord_bot_maker.storeRole',
  user: 'discord_bot_maker.storeUser',
  guild: 'discord_bot_maker.storeServer',
} as const satisfies Record<RecipeParts['filledBy'], StepKey>;
