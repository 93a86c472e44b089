import { encodePair, takeApart, withOption, withQuery } from './recipe.ts';
import { TOKEN_PLACEHOLDER, type RecipeBook, type RecipeOperation } from './recipe.ts';

/** What is done with the answer. BDFD has no loops, so chunks are sent one by one. */
const RESULT: Readonly<Record<RecipeOperation, readonly string[]>> = {
  'parse-args': ['User: $httpResult[user_id]', 'Time: $httpResult[duration]', 'Reason: $httpResult[reason]'],
  'permission-encoder': ['Bit field: $httpResult[bitfield]', 'Permissions: $httpResult[permissions_text]'],
  'text-splitter': [
    '$channelSendMessage[$channelID;$httpResult[chunks_1]]',
    '$if[$httpResult[count]>=2]',
    '$channelSendMessage[$channelID;$httpResult[chunks_2]]',
    '$endif',
    '$if[$httpResult[count]>=3]',
    '$channelSendMessage[$channelID;$httpResult[chunks_3]]',
    '$endif',
  ],
  'image-to-base64': [
    '$if[$httpResult[emoji_ok]==true]',
    'New emoji: $addEmoji[new_emoji;$message;yes]',
    '$else',
    'This is no image for an emoji: $httpResult[mime_type] $httpResult[error]',
    '$endif',
  ],
  'role-members': ['$httpResult[count] members: $httpResult[members_text]'],
};

const NOTES: Readonly<Record<RecipeOperation, string>> = {
  'parse-args': 'Paste it into the code of a command. Lists come as numbered keys: `$httpResult[args_1]`.',
  'permission-encoder': 'The message holds the names, such as `Send Messages, Add Reactions`.',
  'text-splitter': 'BDFD has no loops: repeat the block for as many chunks as you expect.',
  'image-to-base64':
    'BDFD makes emoji from the address itself; the request tells first whether it will work. `$httpResult[data_uri]` is what other endpoints of Discord take.',
  'role-members': 'Put the id of the role behind the command.',
};

/** In an address, the signs of BDFD's language can stand in percent-encoding. */
function escapeBrackets(address: string): string {
  return address.replaceAll(/[[\];$]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** @see https://wiki.botdesignerdiscord.com/guides/general/httpRequests.html */
export const bdfd: RecipeBook = {
  label: 'BDFD',
  write(order) {
    const { operation, method, url, key, mainField, main, options, needsToken } = takeApart(order);
    const format = operation === 'image-to-base64' ? withOption(options, 'format', 'data_uri') : options;
    const query = withOption(format, 'flat', 'true');
    const variable = operation === 'role-members' ? '$message[1]' : '$message';
    const field = main === null ? `${mainField}=$url[encode;${variable}]` : encodePair([mainField, main]);
    return {
      code: [
        '$nomention',
        `$httpAddHeader[Authorization;${key}]`,
        ...(needsToken ? [`$httpAddHeader[Token;${TOKEN_PLACEHOLDER}]`] : []),
        ...(method === 'GET'
          ? [`$httpGet[${withQuery(url, query, field)}]`]
          : [
              '$httpAddHeader[Content-Type;application/x-www-form-urlencoded]',
              `$httpPost[${withQuery(url, query)};${field}]`,
            ]),
        ...RESULT[operation].map((line) =>
          main === null ? line : line.replace('$message;yes', () => `${escapeBrackets(main)};yes`),
        ),
      ].join('\n'),
      language: '',
      note: NOTES[operation],
    };
  },
};
