import {
  mainOrExample,
  takeApart,
  toJsonFields,
  TOKEN_PLACEHOLDER,
  withOption,
  withQuery,
} from './recipe.ts';
import type { Pair, RecipeBook, RecipeOperation } from './recipe.ts';

const AFTER: Readonly<Record<RecipeOperation, string>> = {
  'parse-args': '',
  'permission-encoder': '',
  'text-splitter': " \\\n  | jq -r '.chunks[]'",
  'image-to-base64': [
    ' \\\n  | jq \'{name: "new_emoji", image: .data_uri}\'',
    '  | curl https://discord.com/api/v10/guilds/YOUR_SERVER_ID/emojis',
    `    -H 'Authorization: Bot ${TOKEN_PLACEHOLDER}' -H 'Content-Type: application/json' -d @-`,
  ].join(' \\\n'),
  'role-members': " \\\n  | jq '.count'",
};

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** @see https://curl.se/docs/manpage.html */
export const curl: RecipeBook = {
  label: 'curl',
  write(order) {
    const parts = takeApart(order);
    const { operation, method, url, key, mainField, options, needsToken } = parts;
    const format = operation === 'image-to-base64' ? withOption(options, 'format', 'data_uri') : options;
    const fields: Pair[] = [[mainField, mainOrExample(parts)], ...format];
    const lines = [
      `curl ${quote(method === 'GET' ? withQuery(url, fields) : url)}`,
      `  -H ${quote(`Authorization: ${key}`)}`,
      ...(needsToken ? [`  -H ${quote(`Token: ${TOKEN_PLACEHOLDER}`)}`] : []),
      ...(method === 'GET'
        ? []
        : [`  -H 'Content-Type: application/json'`, `  -d ${quote(JSON.stringify(toJsonFields(fields)))}`]),
    ];
    return {
      code: lines.join(' \\\n') + AFTER[operation],
      language: 'sh',
      note: 'For a shell. The last part reads the answer with `jq`; leave it out to see all of it.',
    };
  },
};
