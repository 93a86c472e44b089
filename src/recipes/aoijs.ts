import { encodePair, takeApart, withOption, withQuery } from './recipe.ts';
import { TOKEN_PLACEHOLDER, type RecipeBook, type RecipeOperation } from './recipe.ts';

const property = (name: string) => `$getObjectProperty[qm;${name}]`;

const RESULT: Readonly<Record<RecipeOperation, readonly string[]>> = {
  'parse-args': [
    `User: ${property('user_id')}`,
    `Time: ${property('duration')}`,
    `Reason: ${property('reason')}`,
  ],
  'permission-encoder': [`Bit field: ${property('bitfield')}`],
  'text-splitter': [
    `$if[${property('count')}>=3;$channelSendMessage[$channelID;${property('chunks_3')}];]`,
    `$if[${property('count')}>=2;$channelSendMessage[$channelID;${property('chunks_2')}];]`,
    `$channelSendMessage[$channelID;${property('chunks_1')}]`,
  ],
  'image-to-base64': [`$createAppEmoji[new_emoji;${property('data_uri')};true]`],
  'role-members': [`${property('count')} members: ${property('members_text')}`],
};

/**
 * The field goes into the query: in a body, brackets and semicolons of the user's text stay in the codes by which
 * aoi.js keeps them apart from its own.
 * @see https://github.com/aoijs/aoi.js/blob/main/src/functions/misc/httpRequest.js
 */
export const aoiJs: RecipeBook = {
  label: 'aoi.js',
  write(order) {
    const { operation, url, key, mainField, main, options, needsToken } = takeApart(order);
    const format = operation === 'image-to-base64' ? withOption(options, 'format', 'data_uri') : options;
    const query = withOption(format, 'flat', 'true');
    const variable = operation === 'role-members' ? '$message[1]' : '$message';
    const field = main === null ? `${mainField}=$uri[${variable};encode]` : encodePair([mainField, main]);
    const headers = [`Authorization:${key}`, ...(needsToken ? [`Token:${TOKEN_PLACEHOLDER}`] : [])];
    return {
      code: [
        ...RESULT[operation],
        `$createObject[qm;$httpRequest[${withQuery(url, query, field)};GET;;;No answer;${headers.join(';')}]]`,
      ].join('\n'),
      language: '',
      note: 'Paste it into the `code` of a command. aoi.js runs from the bottom to the top, so the request stands last.',
    };
  },
};
