import {
  encodePair,
  linesFor,
  LONG_TEXT_URL,
  takeApart,
  forLaterChunks,
  withChunksMax,
  withOption,
  withQuery,
} from './recipe.ts';
import { TOKEN_PLACEHOLDER, type FilledBy, type RecipeBook, type Uses } from './recipe.ts';

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

/** `$message` is what follows the command. */
const VARIABLES: Readonly<Record<FilledBy, string>> = {
  line: '$message',
  text: '$message',
  image: '$message',
  long_text: `$httpRequest[${LONG_TEXT_URL};GET]`,
  role: '$message[1]',
  user: '$authorID',
  guild: '$guildID',
};

/**
 * The field goes into the query: in a body, brackets and semicolons of the user's text stay in the codes by which
 * aoi.js keeps them apart from its own.
 * @see https://github.com/aoijs/aoi.js/blob/main/src/functions/misc/httpRequest.js
 */
export const aoiJs: RecipeBook = {
  label: 'aoi.js',
  before: ['Open the file of your bot in which its commands are.'],
  afterwards: ['Start the bot again and run the command.'],
  checked: 'Checked with the source of aoi.js 6 (`misc/httpRequest.js`, `message/message.js`).',
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
      note: 'Paste it into the `code` of a command. aoi.js runs from the bottom to the top, so the request is last.',
    };
  },
};
