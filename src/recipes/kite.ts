import { headersOf, listOf, replyLines, writeForm, type FormLines } from './form.ts';
import {
  ADDRESS_NOTE,
  forLaterChunks,
  linesFor,
  optionSteps,
  takeApart,
  WEBHOOK_NAME,
  WEBHOOK_PLACEHOLDER,
  webhookSteps,
  withChunksMax,
  withOption,
  type Pair,
  type RecipeBook,
  type RecipeParts,
} from './recipe.ts';
import { DONE_BUT_ROLES, seeIt, showFlat, type Replies } from './seen-in-discord.ts';
import { PERMISSION_LABELS, SAY, TIMEOUT_SECONDS_MAX, wordedChecks } from './sentences.ts';

const result = (name: string) => `{{ result('qm').data().${name} }}`;
const onlyIf = (condition: string, otherwise: string) =>
  `On the condition that ${condition}: Create response message ${otherwise}, and nothing else`;
const HANDLE = `Handle Errors, on error: Create response message ${SAY.forbidden}`;

const CHECKS = wordedChecks(result, onlyIf);

/** Lines between the request and the reply. */
const ACT: FormLines = {
  ...CHECKS,
  time_out: [
    onlyIf(`${result('user_id')} is empty`, SAY.noMember('/')),
    onlyIf(`${result('duration_seconds')} is empty, or greater than ${TIMEOUT_SECONDS_MAX}`, SAY.noTime('/')),
    HANDLE,
    `Timeout member: user ${result('user_id')}, seconds ${result('duration_seconds')}, reason ${result('reason')}`,
  ],
  make_role: [],
  send_chunks: [],
  make_emoji: [
    ...CHECKS.make_emoji,
    HANDLE,
    `Discord API request: POST /guilds/{{ guild.id }}/emojis with {"name":"new_emoji","image":"${result('data_uri')}"}`,
  ],
  show: () => [],
};

const REPLIES: Replies = { ...DONE_BUT_ROLES, make_emoji: () => 'New emoji: new_emoji' };

const FAILED = onlyIf(`${result('ok')} is false`, result('error'));

function variableOf({ filledBy, mainField }: RecipeParts): string {
  if (filledBy === 'long_text') return "{{ result('other').body() }}";
  if (filledBy === 'user') return '{{ user.id }}';
  if (filledBy === 'guild') return '{{ guild.id }}';
  return `{{ arg('${filledBy === 'role' ? 'role' : mainField}') }}`;
}

/** Where the key is kept: it stays there when a flow is shared. */
const SECRET = 'QUARTERMASTER_KEY';

/** @see https://docs.kite.onl/reference/expressions */
export const kite: RecipeBook = {
  label: 'Kite',
  checked:
    "Written from Kite's documentation and source (*Send API Request*, secrets, the names and credits of blocks); not checked in the editor.",
  write(order) {
    const parts = takeApart(order);
    const { url, key, mainField, main, argumentOptions, addressMethod, operation, filledBy, secret, use } =
      parts;
    const { command, permission } = operation.recipe;
    const fields: Pair[] = [
      [mainField, main ?? variableOf(parts)],
      // A block that fails ends the flow before it can show why.
      ...withOption(withOption(withChunksMax(argumentOptions, parts), 'flat', 'true'), 'always_200', 'true'),
    ];
    return {
      ...writeForm(
        [
          ...listOf('Secret', [[SECRET, key]]),
          ...(secret === 'Webhook' ? listOf('Secret', [[WEBHOOK_NAME, WEBHOOK_PLACEHOLDER]]) : []),
          ['Block ID', 'qm'],
          ['Method', addressMethod],
          ['URL', url],
          ...listOf('Query', fields),
          ...listOf(
            'Header',
            headersOf(`{{secrets.${SECRET}}}`, parts, { Webhook: `{{secrets.${WEBHOOK_NAME}}}` }),
          ),
        ],
        [
          FAILED,
          ...linesFor(ACT, parts),
          ...chunkLines(parts),
          ...replyLines(parts, REPLIES, showFlat(parts, result), reply),
        ],
      ),
      language: '',
      before: [
        `Under *Secrets*, make the secret \`${SECRET}\` with your key.`,
        ...webhookSteps(parts, `The address goes into the secret \`${WEBHOOK_NAME}\`.`),
        `Make the command \`/${command}\` and open it in the flow editor.`,
        ...optionSteps(parts),
        ...(permission === null
          ? []
          : [`Add the block *Command Permissions* with the permission *${PERMISSION_LABELS[permission]}*.`]),
        'Add the block *Command Contexts* and leave only servers switched on.',
        `Add the block *Handle Errors*; on error, *Create response message*: ${SAY.unreachable(use)}`,
        'Add the block *Send API Request* after it and open it.',
      ],
      afterwards: ['Save the flow and run the command in your server.'],
      seen: seeIt(parts, 'slash', REPLIES),
      note: `The request costs 3 of your app's credits, every other action 1. \`qm\` is the id of your block${filledBy === 'long_text' ? ', `other` that of the request that answers with the long text' : ''}${use === 'send_chunks' ? '. Kite’s *Run a loop* has no number of its turn, so five messages are written out' : ''}; the query is encoded for you. ${ADDRESS_NOTE}`,
    };
  },
};

const reply = (text: string) => `Create response message: ${text}`;

function chunkLines({ use }: RecipeParts): string[] {
  if (use !== 'send_chunks') return [];
  return [
    reply(result('chunks_1')),
    ...forLaterChunks(
      (number) =>
        `Create channel message ${number}, on the condition that ${result('count')} is greater than ${number - 1}: ${result(`chunks_${number}`)}`,
    ),
  ];
}
