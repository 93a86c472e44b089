import {
  encodePair,
  forLaterChunks,
  linesFor,
  LONG_TEXT_URL,
  messageVariables,
  takeApart,
  TOKEN_PLACEHOLDER,
  withChunksMax,
  withOption,
  withQuery,
  type RecipeBook,
  type Uses,
} from './recipe.ts';
import { seeIt } from './seen-in-discord.ts';

/** What to do with the answer. BDFD has no loops, so chunks are sent one by one. */
const RESULT: Uses<readonly string[]> = {
  time_out: ['User: $httpResult[user_id]', 'Time: $httpResult[duration]', 'Reason: $httpResult[reason]'],
  make_role: ['Bit field: $httpResult[bitfield]', 'Permissions: $httpResult[permissions_text]'],
  send_chunks: [
    '$channelSendMessage[$channelID;$httpResult[chunks_1]]',
    ...forLaterChunks((number) => [
      `$if[$httpResult[count]>=${number}]`,
      `$channelSendMessage[$channelID;$httpResult[chunks_${number}]]`,
      '$endif',
    ]).flat(),
  ],
  make_emoji: [
    '$if[$httpResult[emoji_ok]==true]',
    'New emoji: $addEmoji[new_emoji;$message;yes]',
    '$else',
    'This is no image for an emoji: $httpResult[mime_type]',
    '$endif',
  ],
  list_members: ['$httpResult[count] members: $httpResult[members_text]'],
  show: (keys) => keys.map(({ key, isList }) => `${key}: $httpResult[${key}${isList ? '_text' : ''}]`),
};

const NOTES: Uses<string> = {
  time_out: 'Paste it into the code of a command. Lists come as numbered keys: `$httpResult[args_1]`.',
  make_role: 'The message holds the names, such as `Send Messages, Add Reactions`.',
  send_chunks: `Put the address of your long text in place of ${LONG_TEXT_URL}. BDFD has no loops: for more chunks, repeat the block and raise \`max_chunks\`.`,
  make_emoji:
    'BDFD makes the emoji from the address itself. The request first says whether that will work. `$httpResult[data_uri]` is what other endpoints of Discord take.',
  list_members: 'Type the id of the role after the command.',
  show: () => 'Paste it into the code of a command. Lists come as one text, and as numbered keys.',
};

/** In an address, the special characters of BDFD's language can be percent-encoded. */
function escapeBrackets(address: string): string {
  return address.replaceAll(/[[\];$]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `$httpResult` alone is the whole answer of the request before. */
const VARIABLES = messageVariables('$httpResult', '$message[1]');

/** @see https://wiki.botdesignerdiscord.com/guides/general/httpRequests.html */
export const bdfd: RecipeBook = {
  label: 'BDFD',
  checked:
    'Written from the BDFD wiki (HTTP requests, `$message`, `$onlyIf`, BDScript 2); the app has no public source, so it was not checked in it.',
  write(order) {
    const parts = takeApart(order);
    const { method, url, key, mainField, main, argumentOptions, needsToken } = parts;
    const query = withOption(withChunksMax(argumentOptions, parts), 'flat', 'true');
    const field =
      main === null
        ? `${mainField}=$url[encode;${VARIABLES[parts.filledBy]}]`
        : encodePair([mainField, main]);
    return {
      code: [
        '$nomention',
        ...(main === null && parts.filledBy === 'long_text' ? [`$httpGet[${LONG_TEXT_URL}]`] : []),
        `$httpAddHeader[Authorization;${key}]`,
        ...(needsToken ? [`$httpAddHeader[Token;${TOKEN_PLACEHOLDER}]`] : []),
        ...(method === 'GET'
          ? [`$httpGet[${withQuery(url, query, field)}]`]
          : [
              '$httpAddHeader[Content-Type;application/x-www-form-urlencoded]',
              `$httpPost[${withQuery(url, query)};${field}]`,
            ]),
        '$onlyIf[$httpResult[ok]==true;$httpResult[error]]',
        ...linesFor(RESULT, parts).map((line) =>
          main === null ? line : line.replace('$message;yes', () => `${escapeBrackets(main)};yes`),
        ),
      ].join('\n'),
      language: '',
      before: ['Open the app, choose your bot, and open a command (or make one).'],
      afterwards: ['Save the command and run it in your server.'],
      seen: seeIt(parts),
      note: linesFor(NOTES, parts),
    };
  },
};
