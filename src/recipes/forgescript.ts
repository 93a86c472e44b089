import {
  encodePair,
  linesFor,
  LONG_TEXT_URL,
  messageVariables,
  takeApart,
  TOKEN_PLACEHOLDER,
  withQuery,
  type RecipeBook,
  type Uses,
} from './recipe.ts';
import { seeIt } from './seen-in-discord.ts';

const RESULT: Uses<readonly string[]> = {
  time_out: ['User: $env[result;user_id]', 'Time: $env[result;duration]', 'Reason: $env[result;reason]'],
  make_role: ['Bit field: $env[result;bitfield]'],
  send_chunks: [
    '$jsonLoad[chunks;$env[result;chunks]]',
    '$arrayForEach[chunks;chunk;$sendMessage[$channelID;$env[chunk]]]',
  ],
  make_emoji: ['$addEmoji[$guildID;new_emoji;$env[result;data_uri];true]'],
  list_members: ['$env[result;count] members: $env[result;members]'],
  show: (keys) => keys.map(({ key }) => `${key}: $env[result;${key}]`),
};

/** Counts the words of `$message` from 0. */
const VARIABLES = messageVariables('$env[long]', '$message[0]');

/**
 * The field goes into the query: `$httpSetBody` of 2.1 writes a text as JSON, in quotes, and JSON that is put together
 * by hand breaks on the quotes of a message.
 * @see https://github.com/tryforge/ForgeScript/tree/main/src/native/http
 */
export const forgeScript: RecipeBook = {
  label: 'ForgeScript',
  checked:
    'Checked against the source of ForgeScript 2 (`$httpRequest`, `$message`, `$encodeURIComponent`); a body by `$httpSetBody` would need 2.2 or newer.',
  write(order) {
    const parts = takeApart(order);
    const { url, method, key, mainField, main, filledBy, argumentOptions, needsToken } = parts;
    const field =
      main === null
        ? `${mainField}=$encodeURIComponent[${VARIABLES[filledBy]}]`
        : encodePair([mainField, main]);
    const isLong = main === null && filledBy === 'long_text';
    return {
      code: [
        ...(isLong ? [`$let[other;$httpRequest[${LONG_TEXT_URL};GET;long]]`] : []),
        `$httpAddHeader[Authorization;${key}]`,
        ...(needsToken ? [`$httpAddHeader[Token;${TOKEN_PLACEHOLDER}]`] : []),
        `$let[status;$httpRequest[${withQuery(url, argumentOptions, field)};${method};result]]`,
        '$onlyIf[$env[result;ok]==true;$env[result;error]]',
        ...linesFor(RESULT, parts),
      ].join('\n'),
      language: '',
      before: ['Open the folder of your commands and make a file.'],
      afterwards: ['Restart the bot and run the command.'],
      seen: seeIt(parts),
      note: `Paste it into the code of a command.${isLong ? ` Put the address of your long text in place of ${LONG_TEXT_URL}.` : ''}`,
    };
  },
};
