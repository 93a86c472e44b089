import { headersOf, listOf, replyLines, writeForm, type FormLines } from './form.ts';
import {
  ADDRESS_NOTE,
  forLaterChunks,
  linesFor,
  optionSteps,
  takeApart,
  WEBHOOK_PLACEHOLDER,
  webhookSteps,
  withChunksMax,
  withOption,
  type RecipeBook,
  type RecipeParts,
} from './recipe.ts';
import { DONE_BUT_ROLES, seeIt, showFlat, type Replies, type Show } from './seen-in-discord.ts';
import { PERMISSION_LABELS, SAY, TIMEOUT_SECONDS_MAX, wordedChecks } from './sentences.ts';

/** A variable that the reader has copied. */
const value: Show = (key) => `(${key})`;

/** Tells the reader to copy the variables of an answer from BotGhost, which shows their names nowhere else. */
const find = (...keys: readonly string[]) =>
  `Press Test Request and copy the variables that it shows for: ok, error, ${keys.join(', ')}`;
const onlyIf = (condition: string, otherwise: string) =>
  `On the condition that ${condition}: Reply ${otherwise}, and nothing else`;

const CHECKS = wordedChecks(value, onlyIf);

/** Lines between the request and the reply. */
const ACT: FormLines = {
  time_out: [
    find('user_id', 'duration', 'duration_seconds', 'reason'),
    onlyIf('(user_id) is empty', SAY.noMember('/')),
    onlyIf(`(duration_seconds) is empty, or greater than ${TIMEOUT_SECONDS_MAX}`, SAY.noTime('/')),
    'Action Timeout a member: User ID (user_id), Duration (duration), Reason (reason)',
  ],
  make_role: [find('bitfield')],
  send_chunks: [find('count', 'chunks_1', ...forLaterChunks((number) => `chunks_${number}`))],
  make_emoji: [
    find('data_uri', 'emoji_ok'),
    ...CHECKS.make_emoji,
    'Second request: POST https://discord.com/api/v10/guilds/{server_id}/emojis',
    'Its header: Authorization = Bot {TOKEN_SECRET}',
    'Its JSON body: {"name":"new_emoji","image":"(data_uri)"}',
  ],
  list_members: [find('count', 'returned', 'members_text', 'pending'), ...CHECKS.list_members],
  post_text: [find('state', 'sent', 'total', 'pending', 'reason', 'delivery_id'), ...CHECKS.post_text],
  show: (keys) => [find(...keys.map(({ key, isList }) => (isList ? `${key}_text` : key)))],
};

const REPLIES: Replies = { ...DONE_BUT_ROLES, make_emoji: () => 'New emoji: new_emoji' };

const failed = ({ use }: RecipeParts) => [
  onlyIf('(ok) is false', '(error)'),
  onlyIf('(ok) is not true', SAY.unreachable(use)),
];

function variableOf({ filledBy, mainField }: RecipeParts): string {
  if (filledBy === 'role') return '{option_role}';
  if (filledBy === 'user') return '{user_id}';
  if (filledBy === 'guild') return '{server_id}';
  return filledBy === 'long_text' ? '{your_long_text}' : `{option_${mainField}}`;
}

/** @see https://docs.botghost.com/custom-commands-and-events/actions/api-actions/send-an-api-request */
export const botGhost: RecipeBook = {
  label: 'BotGhost',
  checked:
    "Written from BotGhost's documentation (*Send an API Request*, *Timeout a member*, *Run a Loop*). It has no public source: how it names the variables of an answer is not confirmed.",
  write(order) {
    const parts = takeApart(order);
    const { url, key, mainField, main, argumentOptions, addressMethod, operation, filledBy, use } = parts;
    const { command, permission } = operation.recipe;
    const flat = withOption(withChunksMax(argumentOptions, parts), 'flat', 'true');
    const parameters = withOption(flat, 'always_200', 'true');
    const [variables = '', ...acts] = linesFor(ACT, parts);
    return {
      ...writeForm(
        [
          ['Request name', 'qm'],
          ['Request type', addressMethod],
          ['Request URL', url],
          ...listOf('URL param', [[mainField, main ?? variableOf(parts)], ...parameters]),
          ...listOf('HTTP header', headersOf(key, parts, { Token: '{TOKEN_SECRET}' })),
        ],
        [
          variables,
          ...failed(parts),
          ...acts,
          ...chunkLines(parts),
          ...replyLines(parts, REPLIES, showFlat(parts, value), (text) => `Reply: ${text}`),
        ],
      ),
      language: '',
      before: [
        `Make the slash command \`/${command}\` in the command builder.`,
        ...optionSteps(parts),
        ...(permission === null
          ? []
          : [
              `In Discord, under *Server Settings > Integrations*, allow \`/${command}\` only to roles with the permission *${PERMISSION_LABELS[permission]}*: BotGhost runs it for everybody else who sees it.`,
            ]),
        'Add a condition first: when `{server_id}` is empty, reply *This works only in servers.* and end there.',
        'Add the action *Send an API Request* and open it. The key goes into its header, where only people who can edit the bot see it.',
        ...webhookSteps(parts, `Put the address in place of ${WEBHOOK_PLACEHOLDER}.`),
      ],
      afterwards: ['Save the command and run it in your server.'],
      seen: seeIt(parts, 'slash', REPLIES),
      note: [
        'URL params are encoded for you, so quotes and line breaks are safe. Words in round brackets are the variables that you copied.',
        ADDRESS_NOTE,
        ...(filledBy === 'long_text'
          ? ['Put the variable of your long text in place of {your_long_text}.']
          : []),
        ...(use === 'post_text' ? ['*Test Request* posts in the channel, too.'] : []),
        ...(use === 'send_chunks'
          ? [
              'For more than five chunks, raise `max_chunks` and reply in the action *Run a Loop* with the loop count (count) and the variable of chunks_1, its 1 replaced by `{loop_count}`.',
            ]
          : []),
        ...(use === 'time_out'
          ? [
              'BotGhost does not compare the roles of the two members; Discord only protects those above the bot.',
            ]
          : []),
      ].join(' '),
    };
  },
};

function chunkLines({ use }: RecipeParts): string[] {
  if (use !== 'send_chunks') return [];
  return [
    'Reply: (chunks_1)',
    ...forLaterChunks(
      (number) => `Reply ${number}, when (count) is greater than ${number - 1}: (chunks_${number})`,
    ),
  ];
}
