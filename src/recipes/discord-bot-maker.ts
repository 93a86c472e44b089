import { headersOf, replyLines, writeForm, type FormLines } from './form.ts';
import {
  ADDRESS_NOTE,
  linesFor,
  takeApart,
  toJsonFields,
  webhookSteps,
  withOption,
  withQuery,
  type FormField,
  type RecipeBook,
  type RecipeParts,
} from './recipe.ts';
import { seeIt, showFlat, TOLD, type Replies } from './seen-in-discord.ts';
import { PERMISSION_LABELS, SAY, wordedChecks } from './sentences.ts';

const result = (name: string) => `\${tempVars("qm").${name}}`;
const onlyIf = (condition: string, otherwise: string) =>
  `Check If ${condition}: Send Message ${otherwise}, and end there`;

const CHECKS = wordedChecks(result, onlyIf);

/** Lines between the request and the reply. */
const ACT: FormLines = {
  ...CHECKS,
  time_out: [
    onlyIf(`${result('user_id')} is empty`, SAY.noMember('!')),
    onlyIf(`${result('duration_seconds')} is empty`, SAY.noTime('!')),
  ],
  make_role: [],
  send_chunks: [`In a Loop Through List of ${result('chunks')}: Send Message \${tempVars("chunk")}`],
  show: () => [],
};

const REPLIES: Replies = { ...TOLD, make_emoji: () => 'This picture can be an emoji.' };

const failed = ({ use }: RecipeParts) => [
  onlyIf(`${result('ok')} is false`, result('error')),
  onlyIf(`${result('ok')} is not true`, SAY.unreachable(use)),
];

/** The mod cuts a header at its second colon, so the address of a webhook does not fit. */
const WEBHOOK_PARTS = 'WEBHOOK_ID/WEBHOOK_TOKEN';

/** @see https://github.com/dbm-network/mods/blob/master/actions/store_json_from_webapi_MOD.js */
export const discordBotMaker: RecipeBook = {
  label: 'Discord Bot Maker',
  checked:
    'Written from the source of the mods (`store_json_from_webapi_MOD.js` and `send_json_to_webapi_MOD.js` of dbm-network/mods); not checked in the editor.',
  write(order) {
    const parts = takeApart(order);
    const { mainField, main, operation, filledBy } = parts;
    const { command, permission } = operation.recipe;
    const action = parts.addressMethod === 'GET' ? 'Store Json From WebAPI' : 'Send Json to WebAPI';
    const show = showFlat(parts, result);
    return {
      ...writeForm(parts.addressMethod === 'GET' ? readingFields(parts) : sendingFields(parts), [
        ...failed(parts),
        ...linesFor(ACT, parts),
        ...replyLines(parts, REPLIES, show, (text) => `Send Message ${text}`),
      ]),
      language: '',
      before: [
        'Install DBM Mods, which brings the action.',
        `Make the command \`${command}\` and restrict it to servers${permission === null ? '' : ` and to members with the permission *${PERMISSION_LABELS[permission]}*`}.`,
        ...(main === null
          ? [`Store ${SOURCES[filledBy] ?? `the ${mainField}`} in the temp variable \`${mainField}\`.`]
          : []),
        ...webhookSteps(
          parts,
          `Put its end, the id and the token after \`/webhooks/\`, in place of ${WEBHOOK_PARTS}.`,
        ),
        `Add the action *${action}* and open it. The key goes into its headers: share the project only without it.`,
      ],
      afterwards: ['Save the project, start the bot and run the command.'],
      seen: seeIt(parts, 'message', REPLIES),
      note: noteOf(parts, action),
    };
  },
};

function noteOf({ main, filledBy, addressMethod }: RecipeParts, action: string): string {
  const isInAddress = addressMethod === 'GET' && main === null && !/^(?:user|guild|role)$/.test(filledBy);
  return `For *${action}* of DBM Mods${addressMethod === 'GET' ? '; leave JSON Path empty to get everything' : ''}.${isInAddress ? ` ${ADDRESS_NOTE}` : ''}`;
}

function headerLines(parts: RecipeParts): FormField[] {
  return headersOf(parts.key, parts, { Webhook: WEBHOOK_PARTS }).map(([name, value]): FormField => [
    'Headers',
    `${name}:${value}`,
  ]);
}

function readingFields(parts: RecipeParts): FormField[] {
  const { url, mainField, main, options, use } = parts;
  // Chunks are read as a list, everything else as texts.
  const query = use === 'send_chunks' ? options : withOption(options, 'flat', 'true');
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

const SOURCES: Readonly<Partial<Record<RecipeParts['filledBy'], string>>> = {
  line: 'the whole message',
  text: 'the text after the command',
  long_text: 'the long text, such as the answer of another request,',
  image: 'the address of the attached picture',
  role: 'the id of the mentioned role',
  user: 'the id of the command author',
  guild: 'the id of the server',
};
