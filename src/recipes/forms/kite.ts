import { answerChecks, headersOf, listOf, replyFields, type Operators } from '../form.ts';
import { NOTHING, chooseByUse, permissionOf, type Pair, type RecipeParts, type ByUse } from '../recipe.ts';
import type { RecipeWriter } from '../recipe-writer.ts';
import {
  mapFirstRoles,
  mapLaterChunks,
  KEY_NAME,
  WEBHOOK_NAME,
  WEBHOOK_PLACEHOLDER,
} from '../request-fields.ts';
import { ROLES_NOTE, URL_NOTE, optionSteps, webhookSteps } from '../shared-steps.ts';
import { SLASH_REPLIES, showFlat } from '../seen-in-discord.ts';
import { SENTENCES } from '../sentences.ts';
import { fieldsOf, laterChunkChecks, roleChecks } from './slash-builder.ts';
import { doStep, check, fill, type Check, type Step } from '../steps.ts';

const RESPOND = 'Create response message';
const result = (name: string) => `{{ result('qm').data().${name} }}`;

const OPERATORS: Operators = {
  isTrue: ['Equal', 'true'],
  isFalse: ['Equal', 'false'],
  // A request without an answer ends in *Handle Errors*.
  isNotTrue: null,
  isEmpty: ['Equal', ''],
  isNotEmpty: ['Not equal', ''],
  is: (value) => ['Equal', value],
  isAbove: (value) => ['Greater than', String(value)],
};

const REFUSED = fill('kite.refused', [[RESPOND, SENTENCES.forbidden]]);

const ACTIONS: ByUse<readonly Step[]> = {
  ...NOTHING,
  time_out: [
    REFUSED,
    fill('kite.timeout', [
      ['User', result('user_id')],
      ['Duration in seconds', result('duration_seconds')],
      ['Audit log reason', result('reason')],
    ]),
  ],
  send_chunks: [
    fill('kite.reply', [[RESPOND, result('chunks_1')]]),
    ...check('kite.chunks', laterChunkChecks(result, OPERATORS), false),
  ],
  list_roles: [
    fill('kite.reply', [[RESPOND, `${result('members')} members`]]),
    ...check('kite.chunks', roleChecks(result, OPERATORS), false),
  ],
  make_emoji: [
    REFUSED,
    fill('kite.emoji', [
      ['Method', 'POST'],
      ['Path', '/guilds/{{ guild.id }}/emojis'],
      ['Body', `{"name":"new_emoji","image":"${result('data_uri')}"}`],
    ]),
  ],
};

const VARIABLES = {
  option: (name: string) => `{{ arg('${name}') }}`,
  user: '{{ user.id }}',
  guild: '{{ guild.id }}',
};

/** @see https://docs.kite.onl/reference/expressions */
export const kite: RecipeWriter = {
  checked:
    "Written from Kite's documentation and source (*Send API Request*, *Comparison Condition*, secrets, the names and credits of blocks, its MCP server); not checked in the editor.",
  leavesCommandOut: true,
  calledBy: 'slash',
  replies: SLASH_REPLIES,
  begin: (parts) => [
    fill('kite.secret', [['Secret', KEY_NAME, parts.key]]),
    doStep('kite.make', { command: parts.operation.recipe.command }),
    ...optionSteps(parts, ['kite.textArgument', 'kite.roleArgument']),
  ],
  fillIn(parts) {
    const { url, queryMethod, operation, use } = parts;
    const { command } = operation.recipe;
    const permission = permissionOf(parts);
    const fields = fieldsOf(parts, VARIABLES);
    const headers = headersOf(`{{secrets.${KEY_NAME}}}`, parts, { Webhook: `{{secrets.${WEBHOOK_NAME}}}` });
    const checks = answerChecks(parts, { operators: OPERATORS, value: result, prefix: '/' });
    const replies = replyFields(parts, SLASH_REPLIES, showFlat(parts, result), RESPOND);
    return [
      ...webhookSteps(parts, fill('kite.webhook', [['Secret', WEBHOOK_NAME, WEBHOOK_PLACEHOLDER]])),
      fill('kite.assistant', [['Sentence', sentence(parts, fields, headers, checks, replies[0]?.[1] ?? '')]]),
      ...(permission === null ? [] : [doStep('kite.permission', { label: permission })]),
      doStep('kite.contexts'),
      fill('kite.errors', [[RESPOND, SENTENCES.unreachable(use)]]),
      fill('kite.request', [
        ['Block ID', 'qm'],
        ['Method', queryMethod],
        ['URL', url],
        ...listOf('Query', fields),
        ...listOf('Header', headers),
      ]),
      ...check('kite.checks', checks),
      ...chooseByUse(ACTIONS, parts),
      ...(replies.length === 0 ? [] : [fill('kite.reply', replies)]),
      doStep('common.trySlash', { command }),
    ];
  },
  note: ({ use }) =>
    `The request costs 3 of your app's credits, every other action 1. \`qm\` is the id of your block${use === 'send_chunks' ? '. Kite’s *Run a loop* has no number of its turn, so five messages are written out' : ''}; the query is encoded for you. ${use === 'list_roles' ? ROLES_NOTE : URL_NOTE}`,
};

const listed = (pairs: readonly Pair[]) => pairs.map(([name, value]) => `${name} = ${value}`).join(', ');

function spoken({ left, check: how, right, reply }: Check): string {
  const comparison = how === 'Equal' ? `equal to ${right}` : `${how.toLowerCase()} ${right}`;
  return `“${reply}” when ${left} is ${right === '' ? 'empty' : comparison}`;
}

/**
 * One sentence for the assistant that builds through Kite's MCP server. It says everything that the assistant cannot
 * know.
 */
function sentence(
  parts: RecipeParts,
  fields: readonly Pair[],
  headers: readonly Pair[],
  checks: readonly Check[],
  reply: string,
): string {
  const { operation, queryMethod, url } = parts;
  const permission = permissionOf(parts);
  return [
    `In Kite, build the slash command /${operation.recipe.command} for servers only`,
    permission === null ? '' : `, for members with the permission ${permission}`,
    `: send an API request with the block id qm, ${queryMethod} ${url}, the query ${listed(fields)} and the headers ${listed(headers)}`,
    `; respond and end with ${checks.map(spoken).join(', ')}`,
    chooseByUse(ASSISTANT_ACTIONS, parts),
    reply === '' ? '' : `; then respond with “${reply}”`,
    '.',
  ].join('');
}

/** What the command does before it replies, for the assistant. */
const ASSISTANT_ACTIONS: ByUse<string> = {
  time_out: `; time out the member ${result('user_id')} for ${result('duration_seconds')} seconds`,
  make_role: '',
  send_chunks: `; send the first ${result('count')} of ${result('chunks_1')}, ${mapLaterChunks((number) => result(`chunks_${number}`)).join(', ')} as messages`,
  make_emoji: `; make the emoji new_emoji with the image ${result('data_uri')}`,
  list_members: '',
  list_roles: `; respond with “${result('members')} members”, then send a message for each of these that is not empty: ${mapFirstRoles((id, count) => `${result(id)}: ${result(count)}`).join(', ')}`,
  post_text: '',
  showKeys: () => '',
};
