import {
  inputCheck,
  checksBefore,
  fieldWith,
  replyText,
  variableOf,
  type Dialect,
} from './dollar-functions.ts';
import { chooseByUse, type RecipeParts, type ByUse } from '../recipe.ts';
import type { RecipeWriter } from '../recipe-writer.ts';
import { encodePair, mapFirstRoles, WEBHOOK_NAME, withOption, withQuery } from '../request-fields.ts';
import { ROLES_NOTE, environmentSteps } from '../shared-steps.ts';
import { ROLE_NAME_REPLIES } from '../seen-in-discord.ts';
import { SENTENCES } from '../sentences.ts';
import { doStep, paste } from '../steps.ts';

const property = (name: string) => `$getObjectProperty[qm;${name}]`;

/** aoi.js pings all users that a message mentions, unless the message forbids it. */
const QUIETLY = '{allowedMentions:none}';
const reply = (text: string) => `${text}{reply:$messageID:false}${QUIETLY}`;
const onlyIf = (condition: string, otherwise: string) => `$onlyIf[${condition};${reply(otherwise)}]`;

/** Runs once for each chunk. */
const EACH_CHUNK = 'qm-chunk';

/** As aoi.js names them: `sendmessages, addreactions`. */
const PERMISSIONS = `$toLowerCase[$replaceText[${property('permissions_text')};_;]]`;

const rank = (userId: string) => `$rolePosition[$userHighestRole[${userId}]]`;

const DIALECT: Dialect = {
  value: property,
  onlyIf,
  image: '$messageAttachment',
  role: '$mentionedRoles[1]',
  replies: {
    ...ROLE_NAME_REPLIES,
    list_roles: (showKey) =>
      [
        `${showKey('members')} members`,
        ...mapFirstRoles((id, count) => `$if[${showKey(id)}!=;\n<@&${showKey(id)}>: ${showKey(count)};]`),
      ].join(''),
  },
};

const CHECKS = checksBefore(DIALECT, {
  exists: `$memberExists[${property('user_id')}]==true`,
  isBelow: `$authorID==$guildOwnerID||${rank('$authorID')}<${rank(property('user_id'))}`,
});

/** Lines between the request and the reply, in the order in which they should run. */
const ACTIONS: ByUse<readonly string[]> = {
  ...CHECKS,
  time_out: [
    ...CHECKS.time_out,
    `$timeoutMember[$guildID;${property('user_id')};${property('duration_seconds')}]`,
  ],
  make_role: [
    onlyIf(
      `$hasPerms[$guildID;$authorID;$nonEscape[$replaceText[${PERMISSIONS};, ;#SEMI#]]]==true`,
      SENTENCES.notYours,
    ),
    `$createRole[$guildID;Helper;;;;;;;;;$nonEscape[${PERMISSIONS}]]`,
  ],
  send_chunks: [`$loop[${property('count')};{};${EACH_CHUNK}]`],
};

/** The condition that the message has the command's input. */
function inputCondition({ filledBy }: RecipeParts): string {
  if (filledBy === 'image') return `${DIALECT.image}!=`;
  return filledBy === 'role' ? `${DIALECT.role}!=undefined` : '$argsCount>=1';
}

/** @see https://github.com/aoijs/aoi.js/tree/main/src/functions */
export const aoiJs: RecipeWriter = {
  checked: 'Checked against aoi.js 6.11, which runs it in our tests.',
  leavesCommandOut: true,
  replies: ROLE_NAME_REPLIES,
  language: 'js',
  begin(parts) {
    const { command } = parts.operation.recipe;
    return [
      ...environmentSteps(parts),
      doStep('aoijs.client'),
      paste('aoijs.paste', { command }),
      doStep('common.restart', { command }),
    ];
  },
  code(parts) {
    const { operation, use } = parts;
    const { command, permission } = operation.recipe;
    // aoi.js runs from the last function to the first.
    const lines = [
      `$suppressErrors[${SENTENCES.unreachable(use)}${QUIETLY}]`,
      ...(permission === null
        ? []
        : [`$onlyPerms[${permission.toLowerCase()};${reply(SENTENCES.needs(permission))}]`]),
      ...inputCheck(DIALECT, parts, inputCondition(parts)),
      `$createObject[qm;${request(parts)}]`,
      onlyIf(`${property('ok')}==true`, property('error')),
      `$suppressErrors[${SENTENCES.forbidden}${QUIETLY}]`,
      ...chooseByUse(ACTIONS, parts),
      ...answer(parts),
    ].toReversed();
    return [
      'module.exports = [',
      '  {',
      `    name: '${command}',`,
      '    code: `',
      ...lines,
      '`,',
      '  },',
      ...(use === 'send_chunks' ? eachChunk() : []),
      '];',
    ].join('\n');
  },
  note: ({ use }) =>
    `A file for \`loadCommands\` of aoi.js 6, with the prefix \`!\`. aoi.js runs a command from the bottom to the top.${use === 'list_roles' ? ` ${ROLES_NOTE}` : ''}`,
};

function answer(parts: RecipeParts): string[] {
  const text = replyText(DIALECT, parts);
  if (text === null) return [];
  const emoji =
    parts.use === 'make_emoji' ? `$addEmoji[$guildID;${property('data_uri')};new_emoji;true]` : '';
  return [`$sendMessage[${reply(text + emoji)}]`];
}

function eachChunk(): string[] {
  return [
    '  {',
    `    name: '${EACH_CHUNK}',`,
    "    type: 'awaited',",
    `    code: \`$channelSendMessage[$channelID;${property('chunks_$index')}${QUIETLY}]\`,`,
    '  },',
  ];
}

function request(parts: RecipeParts): string {
  const { method, url, filledBy, argumentOptions, secret } = parts;
  const options = withOption(argumentOptions, 'flat', 'true');
  const variable = `$uri[${variableOf(DIALECT, filledBy)};encode]`;
  const headers = [
    // eslint-disable-next-line no-template-curly-in-string
    'Authorization:${process.env.QUARTERMASTER_KEY}',
    ...(secret === 'Token' ? ['Token:$clientToken'] : []),
    // aoi.js cuts a header at its second colon, so the header holds only the id and the token of the webhook.
    ...(secret === 'Webhook'
      ? [`Webhook:\${process.env.${WEBHOOK_NAME}.split('webhooks/').pop()}`, 'Idempotency-Key:$messageID']
      : []),
  ];
  if (method === 'GET') {
    return `$httpRequest[${[withQuery(url, options, fieldWith(parts, variable)), 'GET', '', '', '', ...headers].join(';')}]`;
  }
  // aoi.js would send brackets as #LB# and #RB#, and `$uri` leaves them as they are.
  const encoded = `$replaceText[$replaceText[${variable};(;%28];);%29]`;
  const body = [...options.map(encodePair), fieldWith(parts, encoded)].join('&');
  headers.push('Content-Type:application/x-www-form-urlencoded');
  return `$httpRequest[${[url, 'POST', body, '', '', ...headers].join(';')}]`;
}
