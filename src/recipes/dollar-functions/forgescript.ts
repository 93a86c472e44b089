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
import { WEBHOOK_NAME, withOption, withQuery } from '../request-fields.ts';
import { URL_NOTE, environmentSteps } from '../shared-steps.ts';
import { BITFIELD_REPLIES } from '../seen-in-discord.ts';
import { SENTENCES } from '../sentences.ts';
import { doStep, paste } from '../steps.ts';

const result = (name: string) => `$env[result;${name}]`;

/** ForgeScript pings all users that a message mentions, unless each message switches that off. */
const QUIETLY = '$disableAllMentions';
const reply = (text: string) => `$reply[$channelID;$messageID;true]${QUIETLY} ${text}`;
const onlyIf = (condition: string, otherwise: string) => `$onlyIf[${condition};${reply(otherwise)}]`;
const rank = (userId: string) => `$rolePosition[$guildID;$memberHighestRoleID[$guildID;${userId}]]`;

const DIALECT: Dialect = {
  value: result,
  onlyIf,
  image: '$messageAttachment[$channelID;$messageID;0]',
  role: '$mentionedRoles[0]',
  replies: {
    ...BITFIELD_REPLIES,
    list_roles: (showKey) =>
      `${showKey('members')} members\n$jsonLoad[roles;${result('roles')}]$arrayMap[roles;role;$return[<@&$env[role;role_id]>: $env[role;count]];lines]$cropText[$arrayJoin[lines;\n];0;1900]`,
  },
};

const CHECKS = checksBefore(DIALECT, {
  exists: `$memberExists[$guildID;${result('user_id')}]==true`,
  isBelow: `$or[$authorID==$guildOwnerID[$guildID];${rank('$authorID')}>${rank(result('user_id'))}]==true`,
});

/** Lines between the request and the reply. */
const ACTIONS: ByUse<readonly string[]> = {
  ...CHECKS,
  time_out: [
    ...CHECKS.time_out,
    onlyIf(
      `$timeout[$guildID;${result('user_id')};${result('duration_seconds')}s;$cropText[${result('reason')};0;512]]==true`,
      SENTENCES.forbidden,
    ),
  ],
  send_chunks: [
    `$jsonLoad[chunks;${result('chunks')}]`,
    `$arrayForEach[chunks;chunk;${QUIETLY}$sendMessage[$channelID;$env[chunk]]]`,
  ],
  make_emoji: [
    ...CHECKS.make_emoji,
    `$let[emoji;$addEmoji[$guildID;new_emoji;${result('data_uri')};true]]`,
    onlyIf('$get[emoji]!=', SENTENCES.forbidden),
  ],
};

/**
 * The field goes into the query: `$httpSetBody` of 2.1 writes a text as a quoted JSON string, and JSON put together by
 * hand breaks on the quotes in a message.
 * @see https://github.com/tryforge/ForgeScript/tree/main/src/native
 */
export const forgeScript: RecipeWriter = {
  checked: 'Checked against ForgeScript 2.1, which runs it in our tests.',
  leavesCommandOut: true,
  replies: BITFIELD_REPLIES,
  language: 'js',
  begin(parts) {
    const { command } = parts.operation.recipe;
    return [
      ...environmentSteps(parts),
      doStep('forgescript.client'),
      paste('forgescript.paste', { command }),
      doStep('common.restart', { command }),
    ];
  },
  code(parts) {
    const { command, permission } = parts.operation.recipe;
    return [
      'module.exports = {',
      `  name: '${command}',`,
      "  type: 'messageCreate',",
      '  guildOnly: true,',
      '  code: `',
      ...(permission === null
        ? []
        : [onlyIf(`$hasPerms[$guildID;$authorID;${permission}]==true`, SENTENCES.needs(permission))]),
      ...inputCheck(DIALECT, parts),
      ...request(parts),
      ...chooseByUse(ACTIONS, parts),
      ...answer(parts),
      '`,',
      '};',
    ].join('\n');
  },
  note: () =>
    `A file for the commands of ForgeScript 2. Where it cannot connect at all, ForgeScript ends the command and writes why to its console. ${URL_NOTE}`,
};

function request(parts: RecipeParts): string[] {
  const { url, method, filledBy, argumentOptions, secret, use } = parts;
  const field = fieldWith(parts, `$encodeURIComponent[${variableOf(DIALECT, filledBy)}]`);
  // Chunks and roles are read as lists, all other values as texts.
  const options =
    use === 'send_chunks' || use === 'list_roles'
      ? argumentOptions
      : withOption(argumentOptions, 'flat', 'true');
  return [
    '$httpAddHeader[Authorization;${process.env.QUARTERMASTER_KEY}]',
    ...(secret === 'Token' ? ['$httpAddHeader[Token;$botToken]'] : []),
    ...(secret === 'Webhook'
      ? [
          `$httpAddHeader[Webhook;\${process.env.${WEBHOOK_NAME}}]`,
          '$httpAddHeader[Idempotency-Key;$messageID]',
        ]
      : []),
    `$let[status;$httpRequest[${withQuery(url, options, field)};${method};result]]`,
    onlyIf(`$or[${result('ok')}==true;${result('ok')}==false]==true`, SENTENCES.unreachable(use)),
    onlyIf(`${result('ok')}==true`, result('error')),
  ];
}

function answer(parts: RecipeParts): string[] {
  const text = replyText(DIALECT, parts);
  if (text === null) return [];
  return [reply(parts.use === 'make_emoji' ? `${text}$emoji[$get[emoji]]` : text)];
}
