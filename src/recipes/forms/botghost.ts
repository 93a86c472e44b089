import { answerChecks, headersOf, listOf, replyFields, type Operators } from '../form.ts';
import { NOTHING, chooseByUse, permissionOf, type ByUse } from '../recipe.ts';
import type { RecipeWriter } from '../recipe-writer.ts';
import { mapFirstRoles, mapLaterChunks } from '../request-fields.ts';
import {
  ROLES_NOTE,
  URL_NOTE,
  botNeeds,
  firstTestSteps,
  optionSteps,
  webhookSteps,
} from '../shared-steps.ts';
import { SLASH_REPLIES, showFlat } from '../seen-in-discord.ts';
import { SENTENCES } from '../sentences.ts';
import { fieldsOf, laterChunkChecks, roleChecks, variableOf } from './slash-builder.ts';
import { doStep, check, fill, name, variablePlaceholder, type Step } from '../steps.ts';

const OPERATORS: Operators = {
  isTrue: ['Equal to', 'true'],
  isFalse: ['Equal to', 'false'],
  isNotTrue: ['Not equal to', 'true'],
  isEmpty: ['Equal to', ''],
  isNotEmpty: ['Not equal to', ''],
  is: (value) => ['Equal to', value],
  isAbove: (value) => ['Greater than', String(value)],
};

/** The keys of the answer that are used after the checks. */
const READ: ByUse<readonly string[]> = {
  time_out: ['user_id', 'duration', 'duration_seconds', 'reason'],
  make_role: ['bitfield'],
  send_chunks: ['count', 'chunks_1', ...mapLaterChunks((number) => `chunks_${number}`)],
  make_emoji: ['data_uri', 'emoji_ok'],
  list_members: ['count', 'returned', 'members_text'],
  list_roles: ['members', ...mapFirstRoles((id, count) => [id, count]).flat()],
  post_text: ['state', 'sent', 'total', 'reason'],
  showKeys: (keys) => keys.map(({ key, isList }) => (isList ? `${key}_text` : key)),
};

const ACTIONS: ByUse<readonly Step[]> = {
  ...NOTHING,
  time_out: [
    fill(
      'botghost.timeout',
      [
        ['User ID', variablePlaceholder('user_id')],
        ['Duration', variablePlaceholder('duration_seconds')],
        ['Reason', variablePlaceholder('reason')],
      ],
      { needs: botNeeds({ use: 'time_out' }) },
    ),
  ],
  send_chunks: [
    fill('botghost.reply', [['Reply', variablePlaceholder('chunks_1')]]),
    ...check('botghost.chunks', laterChunkChecks(variablePlaceholder, OPERATORS), false),
  ],
  list_roles: [
    fill('botghost.reply', [['Reply', `${variablePlaceholder('members')} members`]]),
    ...check('botghost.chunks', roleChecks(variablePlaceholder, OPERATORS), false),
  ],
  make_emoji: [
    fill('botghost.emoji', [
      ['Request type', 'POST'],
      ['Request URL', 'https://discord.com/api/v10/guilds/{server_id}/emojis'],
      ['HTTP header', 'Authorization', 'Bot {TOKEN_SECRET}'],
      ['JSON body', `{"name":"new_emoji","image":"${variablePlaceholder('data_uri')}"}`],
    ]),
  ],
};

const VARIABLES = { option: (name: string) => `{option_${name}}`, user: '{user_id}', guild: '{server_id}' };

/** @see https://docs.botghost.com/custom-commands-and-events/actions/api-actions/send-an-api-request */
export const botGhost: RecipeWriter = {
  checked:
    "Written from BotGhost's documentation (*Send an API Request*, *Comparison Condition*, *Timeout a member*, *Run a Loop*). It has no public source: how it names the variables of an answer is not confirmed.",
  leavesCommandOut: true,
  calledBy: 'slash',
  replies: SLASH_REPLIES,
  begin(parts) {
    const { command } = parts.operation.recipe;
    const permission = permissionOf(parts);
    return [
      doStep('botghost.make', { command }),
      ...optionSteps(parts),
      doStep('botghost.action'),
      ...(permission === null ? [] : [doStep('botghost.permission', { command, permission })]),
    ];
  },
  fillIn(parts) {
    const { url, key, queryMethod, operation, use } = parts;
    const replies = replyFields(parts, SLASH_REPLIES, showFlat(parts, variablePlaceholder), 'Reply');
    return [
      ...check('botghost.guard', [
        { left: '{server_id}', check: 'Equal to', right: '', also: [], reply: SENTENCES.onlyServers },
      ]),
      ...webhookSteps(parts),
      fill('botghost.request', [
        ['Request name', 'qm'],
        ['Request type', queryMethod],
        ['Request URL', url],
        ...listOf('URL param', fieldsOf(parts, VARIABLES)),
        ...listOf('HTTP header', headersOf(key, parts)),
      ]),
      ...(use === 'post_text' ? [doStep('botghost.webhook')] : []),
      ...firstTestSteps(parts, `\`${variableOf(parts, VARIABLES)}\``, 'slash'),
      name('botghost.variables', ['ok', 'error', ...chooseByUse(READ, parts)]),
      ...(use === 'post_text' ? [doStep('botghost.testPosts')] : []),
      ...check(
        'botghost.checks',
        answerChecks(parts, { operators: OPERATORS, value: variablePlaceholder, prefix: '/' }),
      ),
      ...chooseByUse(ACTIONS, parts),
      ...(replies.length === 0 ? [] : [fill('botghost.reply', replies)]),
      doStep('common.trySlash', { command: operation.recipe.command }),
    ];
  },
  note: ({ use }) =>
    [
      'URL params are encoded for you, so quotes and line breaks are safe. Where nothing is beside a comparison, leave its value empty.',
      URL_NOTE,
      ...(use === 'send_chunks'
        ? [
            'For more than five chunks, raise `max_chunks` and reply in the action *Run a Loop* with the loop count (count) and the variable of chunks_1, its 1 replaced by `{loop_count}`.',
          ]
        : []),
      ...(use === 'list_roles' ? [ROLES_NOTE] : []),
      ...(use === 'make_emoji'
        ? [
            'BotGhost fills no variable from a request that Discord refuses, so this recipe replies as if there were an emoji. Where there is none, check that the bot has *Create Expressions*, and that the server has room for an emoji.',
          ]
        : []),
      ...(use === 'time_out'
        ? [
            'BotGhost does not compare the roles of the two members; Discord only protects those above the bot.',
          ]
        : []),
    ].join(' '),
};
