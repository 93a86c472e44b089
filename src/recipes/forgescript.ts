import { encodePair, takeApart, withOption, withQuery } from './recipe.ts';
import { TOKEN_PLACEHOLDER, type RecipeBook, type RecipeOperation, type RecipeParts } from './recipe.ts';

const RESULT: Readonly<Record<RecipeOperation, readonly string[]>> = {
  'parse-args': ['User: $env[result;user_id]', 'Time: $env[result;duration]', 'Reason: $env[result;reason]'],
  'permission-encoder': ['Bit field: $env[result;bitfield]'],
  'text-splitter': [
    '$jsonLoad[chunks;$env[result;chunks]]',
    '$arrayForEach[chunks;chunk;$sendMessage[$channelID;$env[chunk]]]',
  ],
  'image-to-base64': ['$addEmoji[$guildID;new_emoji;$env[result;data_uri];true]'],
  'role-members': ['$env[result;count] members: $env[result;members]'],
};

/** @see https://github.com/tryforge/ForgeScript/tree/main/src/native/http */
export const forgeScript: RecipeBook = {
  label: 'ForgeScript',
  write(order) {
    const parts = takeApart(order);
    const { operation, method, key, options, needsToken } = parts;
    const query = operation === 'image-to-base64' ? withOption(options, 'format', 'data_uri') : options;
    return {
      code: [
        `$httpAddHeader[Authorization;${key}]`,
        ...(needsToken ? [`$httpAddHeader[Token;${TOKEN_PLACEHOLDER}]`] : []),
        ...(method === 'POST' ? bodyOf(parts) : []),
        `$let[status;$httpRequest[${withQuery(parts.url, query, method === 'GET' ? roleOf(parts) : '')};${method};result]]`,
        ...RESULT[operation],
      ].join('\n'),
      language: '',
      note: 'Paste it into the code of a command (ForgeScript 2). `$get[status]` is 200 when it worked; else `$env[result;error]` says why.',
    };
  },
};

/** A text goes as it is, so that quotes and line breaks in it break nothing. */
function bodyOf({ mainField, main }: RecipeParts): string[] {
  const [type, body] =
    main !== null
      ? ['application/x-www-form-urlencoded', encodePair([mainField, main])]
      : mainField === 'text'
        ? ['text/plain', '$message']
        : ['application/json', `{"${mainField}":"$message"}`];
  return [`$httpAddHeader[Content-Type;${type}]`, `$httpSetBody[${body}]`];
}

function roleOf({ mainField, main }: RecipeParts): string {
  return main === null ? `${mainField}=$message[0]` : encodePair([mainField, main]);
}
