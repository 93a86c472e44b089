import {
  inputCheck,
  checksBefore,
  fieldWith,
  replyText,
  variableOf,
  type Dialect,
} from './dollar-functions.ts';
import type { RecipePermission, RecipeUse } from '../recipe-definition.ts';
import { chooseByUse, usageOf, type RecipeParts, type ByUse } from '../recipe.ts';
import type { RecipeWriter } from '../recipe-writer.ts';
import {
  mapFirstRoles,
  mapLaterChunks,
  TOKEN_PLACEHOLDER,
  WEBHOOK_NAME,
  withChunksMax,
  withOption,
  withQuery,
} from '../request-fields.ts';
import { ROLES_NOTE, webhookSteps } from '../shared-steps.ts';
import { BITFIELD_REPLIES, type Replies } from '../seen-in-discord.ts';
import { SENTENCES } from '../sentences.ts';
import { doStep, paste } from '../steps.ts';

const result = (name: string) => `$httpResult[${name}]`;
const onlyIf = (condition: string, otherwise: string) => `$onlyIf[${condition};${otherwise}]`;
/** The position of a role. 1 is the highest. */
const rank = (userId: string) => `$rolePosition[$highestRole[${userId}]]`;

/** A check ends the command. It comes before the block that handles errors, because that would count it as one. */
const isCheck = (line: string) => line.startsWith('$onlyIf[');

const REPLIES: Replies = {
  ...BITFIELD_REPLIES,
  list_roles: (showKey) =>
    [
      `${showKey('members')} members`,
      ...mapFirstRoles((id, count) => [
        `$if[${showKey(id)}!=]`,
        `<@&${showKey(id)}>: ${showKey(count)}`,
        '$endif',
      ]),
    ]
      .flat()
      .join('\n'),
};

const DIALECT: Dialect = {
  value: result,
  onlyIf,
  image: '$getAttachments[0]',
  role: '$mentionedRoles[1]',
  replies: REPLIES,
};

const CHECKS = checksBefore(DIALECT, {
  exists: `${result('user_id')}!=`,
  isBelow: `$or[$authorID==$serverOwner;${rank('$authorID')}<${rank(result('user_id'))}]==true`,
});

/** Lines between the request and the reply. BDFD has no loops, so chunks are sent one by one. */
const ACTIONS: ByUse<readonly string[]> = {
  ...CHECKS,
  time_out: [...CHECKS.time_out, `$timeout[${result('duration_seconds')}s;${result('user_id')}]`],
  // The mentions in the reply ping nobody.
  list_roles: ['$allowRoleMentions[]'],
  send_chunks: [
    `$channelSendMessage[$channelID;${result('chunks_1')}]`,
    ...mapLaterChunks((number) => [
      `$if[${result('count')}>=${number}]`,
      `$channelSendMessage[$channelID;${result(`chunks_${number}`)}]`,
      '$endif',
    ]).flat(),
  ],
};

/** As BDFD names them. */
const PERMISSIONS: Readonly<Record<RecipePermission, string>> = {
  ManageGuildExpressions: 'manageemojis',
  ManageMessages: 'managemessages',
  ManageRoles: 'manageroles',
  ModerateMembers: 'moderatemembers',
};

/** In a URL, the special characters of BDFD's language can be percent-encoded. */
function escapeBrackets(url: string): string {
  return url.replaceAll(/[[\];$]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** @see https://wiki.botdesignerdiscord.com/guides/general/httpRequests.html */
export const bdfd: RecipeWriter = {
  checked:
    'Written from the BDFD wiki (HTTP requests, `$onlyPerms`, `$onlyIf`, `$try`, BDScript 2); the app has no public source, so it was not checked in it.',
  leavesCommandOut: true,
  replies: BITFIELD_REPLIES,
  begin(parts) {
    const { command } = parts.operation.recipe;
    return [
      doStep('bdfd.make', { command }),
      ...webhookSteps(parts, doStep('bdfd.webhook')),
      paste('bdfd.paste'),
      doStep('bdfd.save', { command }),
    ];
  },
  code(parts) {
    const { use, operation } = parts;
    const { permission } = operation.recipe;
    const acts = chooseByUse(ACTIONS, parts);
    return [
      '$nomention',
      '$reply',
      onlyIf('$guildID!=', SENTENCES.onlyServers),
      ...(permission === null
        ? []
        : [`$onlyPerms[${PERMISSIONS[permission]};${SENTENCES.needs(permission)}]`]),
      ...writeInputCheck(parts),
      '$try',
      ...request(parts),
      '$catch',
      '$endtry',
      onlyIf(`${result('ok')}!=`, SENTENCES.unreachable(use)),
      onlyIf(`${result('ok')}==true`, result('error')),
      ...acts.filter(isCheck),
      '$try',
      ...acts.filter((line) => !isCheck(line)),
      ...answer(parts),
      '$catch',
      SENTENCES.forbidden,
      '$endtry',
    ].join('\n');
  },
  note: ({ use }) => (typeof use === 'string' ? (NOTES[use] ?? '') : ''),
};

const NOTES: Readonly<Partial<Record<RecipeUse, string>>> = {
  list_roles: ROLES_NOTE,
  send_chunks: 'BDFD has no loops: for more chunks, repeat the block and raise `max_chunks`.',
  make_emoji:
    'BDFD makes the emoji from the URL itself. The request first says whether that will work. `$httpResult[data_uri]` is what other endpoints of Discord take.',
  make_role:
    'BDFD gives a role only permissions that are named in the code, so the command shows the bit field.',
};

/** Ends the command with its usage when the message lacks its input. Users' text is never part of a condition. */
function writeInputCheck(parts: RecipeParts): string[] {
  const usage = usageOf(parts);
  const isText = variableOf(DIALECT, parts.filledBy) === '$message';
  return isText && usage !== null ? [`$argsCheck[>0;${usage}]`] : inputCheck(DIALECT, parts);
}

function request(parts: RecipeParts): string[] {
  const { method, url, key, filledBy, argumentOptions, secret, use } = parts;
  // The emoji is made from the URL itself, which no option makes smaller.
  const options = argumentOptions.filter(([name]) => use !== 'make_emoji' || name === 'format');
  const query = withOption(withChunksMax(options, parts), 'flat', 'true');
  const field = fieldWith(parts, `$url[encode;${variableOf(DIALECT, filledBy)}]`);
  return [
    `$httpAddHeader[Authorization;${key}]`,
    ...(secret === 'Token' ? [`$httpAddHeader[Token;${TOKEN_PLACEHOLDER}]`] : []),
    ...(secret === 'Webhook'
      ? [`$httpAddHeader[Webhook;$getVar[${WEBHOOK_NAME}]]`, '$httpAddHeader[Idempotency-Key;$messageID]']
      : []),
    ...(method === 'GET'
      ? [`$httpGet[${withQuery(url, query, field)}]`]
      : [
          '$httpAddHeader[Content-Type;application/x-www-form-urlencoded]',
          `$httpPost[${withQuery(url, query)};${field}]`,
        ]),
  ];
}

function answer(parts: RecipeParts): string[] {
  const text = replyText(DIALECT, parts);
  if (text === null) return [];
  const image = parts.main === null ? DIALECT.image : escapeBrackets(parts.main);
  return (parts.use === 'make_emoji' ? `${text}$addEmoji[new_emoji;${image};yes]` : text).split('\n');
}
