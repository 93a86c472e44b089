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

const property = (name: string) => `$getObjectProperty[qm;${name}]`;

const RESULT: Uses<readonly string[]> = {
  time_out: [
    `User: ${property('user_id')}`,
    `Time: ${property('duration')}`,
    `Reason: ${property('reason')}`,
  ],
  make_role: [`Bit field: ${property('bitfield')}`],
  send_chunks: [
    ...forLaterChunks(
      (number) =>
        `$if[${property('count')}>=${number};$channelSendMessage[$channelID;${property(`chunks_${number}`)}];]`,
    ).toReversed(),
    `$channelSendMessage[$channelID;${property('chunks_1')}]`,
  ],
  make_emoji: [`$createAppEmoji[new_emoji;${property('data_uri')};true]`],
  list_members: [`${property('count')} members: ${property('members_text')}`],
  show: (keys) => keys.map(({ key, isList }) => `${key}: ${property(isList ? `${key}_text` : key)}`),
};

const VARIABLES = messageVariables(`$httpRequest[${LONG_TEXT_URL};GET]`, '$message[1]');

/**
 * The field goes into the query: in a body, brackets and semicolons of the user's text stay in the codes by which
 * aoi.js keeps them apart from its own.
 * @see https://github.com/aoijs/aoi.js/blob/main/src/functions/misc/httpRequest.js
 */
export const aoiJs: RecipeBook = {
  label: 'aoi.js',
  checked: 'Checked against the source of aoi.js 6 (`misc/httpRequest.js`, `message/message.js`).',
  write(order) {
    const parts = takeApart(order);
    const { url, key, mainField, main, argumentOptions, needsToken } = parts;
    const query = withOption(withChunksMax(argumentOptions, parts), 'flat', 'true');
    const field =
      main === null
        ? `${mainField}=$uri[${VARIABLES[parts.filledBy]};encode]`
        : encodePair([mainField, main]);
    const headers = [`Authorization:${key}`, ...(needsToken ? [`Token:${TOKEN_PLACEHOLDER}`] : [])];
    return {
      code: [
        ...linesFor(RESULT, parts),
        `$onlyIf[${property('ok')}==true;${property('error')}]`,
        `$createObject[qm;$httpRequest[${withQuery(url, query, field)};GET;;;No answer;${headers.join(';')}]]`,
      ].join('\n'),
      language: '',
      before: ['Open the file with the commands of your bot.'],
      afterwards: ['Restart the bot and run the command.'],
      seen: seeIt(parts),
      note: 'Paste it into the `code` of a command. aoi.js runs from the bottom to the top, so the request comes last.',
    };
  },
};
