import type { RecipePermission } from './recipe-facts.ts';
import {
  encodePair,
  forLaterChunks,
  linesFor,
  takeApart,
  TOKEN_PLACEHOLDER,
  usageOf,
  WEBHOOK_NAME,
  webhookSteps,
  withChunksMax,
  withOption,
  withQuery,
  type FilledBy,
  type RecipeBook,
  type RecipeParts,
  type Uses,
} from './recipe.ts';
import { DONE_BUT_ROLES, seeIt, showFlat } from './seen-in-discord.ts';
import { checksBefore, SAY, TIMEOUT_SECONDS_MAX } from './sentences.ts';
import { act, paste } from './steps.ts';

const result = (name: string) => `$httpResult[${name}]`;
const onlyIf = (condition: string, otherwise: string) => `$onlyIf[${condition};${otherwise}]`;
/** 1 is the highest. */
const rank = (userId: string) => `$rolePosition[$highestRole[${userId}]]`;

/** A check ends the command, and that must not count as an error in the block around what follows. */
const isCheck = (line: string) => line.startsWith('$onlyIf[');

const CHECKS = checksBefore(result, onlyIf);

/** Lines between the request and the reply. BDFD has no loops, so chunks are sent one by one. */
const ACT: Uses<readonly string[]> = {
  ...CHECKS,
  time_out: [
    onlyIf(`${result('user_id')}!=`, SAY.noMember('!')),
    onlyIf(`${result('duration_seconds')}!=`, SAY.noTime('!')),
    onlyIf(`${result('duration_seconds')}<=${TIMEOUT_SECONDS_MAX}`, SAY.noTime('!')),
    onlyIf(`$or[$authorID==$serverOwner;${rank('$authorID')}<${rank(result('user_id'))}]==true`, SAY.above),
    `$timeout[${result('duration_seconds')}s;${result('user_id')}]`,
  ],
  make_role: [],
  send_chunks: [
    `$channelSendMessage[$channelID;${result('chunks_1')}]`,
    ...forLaterChunks((number) => [
      `$if[${result('count')}>=${number}]`,
      `$channelSendMessage[$channelID;${result(`chunks_${number}`)}]`,
      '$endif',
    ]).flat(),
  ],
  show: () => [],
};

/** As BDFD names them. */
const PERMISSIONS: Readonly<Record<RecipePermission, string>> = {
  ManageGuildExpressions: 'manageemojis',
  ManageMessages: 'managemessages',
  ManageRoles: 'manageroles',
  ModerateMembers: 'moderatemembers',
};

const VARIABLES: Readonly<Record<FilledBy, string>> = {
  line: '$message',
  text: '$message',
  long_text: '$message',
  image: '$getAttachments[0]',
  role: '$mentionedRoles[1]',
  user: '$authorID',
  guild: '$guildID',
};

/** In an address, the special characters of BDFD's language can be percent-encoded. */
function escapeBrackets(address: string): string {
  return address.replaceAll(/[[\];$]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** @see https://wiki.botdesignerdiscord.com/guides/general/httpRequests.html */
export const bdfd: RecipeBook = {
  checked:
    'Written from the BDFD wiki (HTTP requests, `$onlyPerms`, `$onlyIf`, `$try`, BDScript 2); the app has no public source, so it was not checked in it.',
  write(order) {
    const parts = takeApart(order);
    const { operation, use } = parts;
    const { command, permission } = operation.recipe;
    const acts = linesFor(ACT, parts);
    return {
      code: [
        '$nomention',
        '$reply',
        onlyIf('$guildID!=', SAY.onlyServers),
        ...(permission === null ? [] : [`$onlyPerms[${PERMISSIONS[permission]};${SAY.needs(permission)}]`]),
        ...check(parts),
        '$try',
        ...request(parts),
        '$catch',
        '$endtry',
        onlyIf(`${result('ok')}!=`, SAY.unreachable(use)),
        onlyIf(`${result('ok')}==true`, result('error')),
        ...acts.filter(isCheck),
        '$try',
        ...acts.filter((line) => !isCheck(line)),
        ...answer(parts),
        '$catch',
        SAY.forbidden,
        '$endtry',
      ].join('\n'),
      language: '',
      steps: [
        act('bdfd.make', { command }),
        ...webhookSteps(parts, act('bdfd.webhook')),
        paste('bdfd.paste'),
        act('bdfd.save', { command }),
      ],
      seen: seeIt(parts, 'message', DONE_BUT_ROLES),
      note: [
        ...(use === 'send_chunks'
          ? ['BDFD has no loops: for more chunks, repeat the block and raise `max_chunks`.']
          : []),
        ...(use === 'make_emoji'
          ? [
              'BDFD makes the emoji from the address itself. The request first says whether that will work. `$httpResult[data_uri]` is what other endpoints of Discord take.',
            ]
          : []),
        ...(use === 'make_role'
          ? [
              'BDFD gives a role only permissions that are named in the code, so the command shows the bit field.',
            ]
          : []),
      ].join(' '),
    };
  },
};

/** Ends the command with its usage when the message lacks its input. */
function check(parts: RecipeParts): string[] {
  const { filledBy } = parts;
  const usage = usageOf(parts);
  if (usage === null) return [];
  // Users' text is never part of a condition.
  return [
    filledBy === 'line' || filledBy === 'text' || filledBy === 'long_text'
      ? `$argsCheck[>0;${usage}]`
      : onlyIf(`${VARIABLES[filledBy]}!=`, usage),
  ];
}

function request(parts: RecipeParts): string[] {
  const { method, url, key, mainField, main, filledBy, argumentOptions, secret } = parts;
  const query = withOption(withChunksMax(argumentOptions, parts), 'flat', 'true');
  const field =
    main === null ? `${mainField}=$url[encode;${VARIABLES[filledBy]}]` : encodePair([mainField, main]);
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
  if (parts.use === 'send_chunks') return [];
  const text = linesFor(DONE_BUT_ROLES, parts)(showFlat(parts, result));
  const image = parts.main === null ? VARIABLES.image : escapeBrackets(parts.main);
  return (parts.use === 'make_emoji' ? `${text}$addEmoji[new_emoji;${image};yes]` : text).split('\n');
}
