import { encodePair, linesFor, takeApart, withQuery } from './recipe.ts';
import { TOKEN_PLACEHOLDER, type RecipeBook, type RecipeParts, type Uses } from './recipe.ts';

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

/** @see https://github.com/tryforge/ForgeScript/tree/main/src/native/http */
export const forgeScript: RecipeBook = {
  label: 'ForgeScript',
  write(order) {
    const parts = takeApart(order);
    const { method, key, options: query, needsToken } = parts;
    return {
      code: [
        `$httpAddHeader[Authorization;${key}]`,
        ...(needsToken ? [`$httpAddHeader[Token;${TOKEN_PLACEHOLDER}]`] : []),
        ...(method === 'POST' ? bodyOf(parts) : []),
        `$let[status;$httpRequest[${withQuery(parts.url, query, method === 'GET' ? roleOf(parts) : '')};${method};result]]`,
        ...linesFor(RESULT, parts),
      ].join('\n'),
      language: '',
      note: 'Paste it into the code of a command (ForgeScript 2). `$get[status]` is 200 when it worked; else `$env[result;error]` says why.',
    };
  },
};

/** A text goes as it is, so that quotes and line breaks in it break nothing. */
function bodyOf({ operation, mainField, main }: RecipeParts): string[] {
  const [type, body] =
    main !== null
      ? ['application/x-www-form-urlencoded', encodePair([mainField, main])]
      : mainField === operation.textField
        ? ['text/plain', '$message']
        : ['application/json', `{"${mainField}":"$message"}`];
  return [`$httpAddHeader[Content-Type;${type}]`, `$httpSetBody[${body}]`];
}

function roleOf({ mainField, main }: RecipeParts): string {
  return main === null ? `${mainField}=$message[0]` : encodePair([mainField, main]);
}
