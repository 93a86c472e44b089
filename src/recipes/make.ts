import { asDataUri, headersOf, listOf, writeForm, type FormLines } from './form.ts';
import { takeApart, type Pair, type RecipeBook } from './recipe.ts';

const AFTER: FormLines = {
  'parse-args': ['Then map: {{2.data.user_id}}, {{2.data.duration}}, {{2.data.reason}}'],
  'permission-encoder': ['Then map: {{2.data.bitfield}}'],
  'text-splitter': ['Then: Iterator over {{2.data.chunks}}, and Discord > Send a Message with {{3.value}}'],
  'image-to-base64': [
    'Then: HTTP > Make a request, POST https://discord.com/api/v10/guilds/YOUR_SERVER_ID/emojis',
    'Its header: Authorization = Bot YOUR_BOT_TOKEN',
    'Its JSON body: {"name":"new_emoji","image":"{{2.data.data_uri}}"}',
  ],
  'role-members': ['Then map: {{2.data.count}}, or an Iterator over {{2.data.members}}'],
};

/** @see https://apps.make.com/http */
export const make: RecipeBook = {
  label: 'Make',
  write(order) {
    const { operation, method, url, key, mainField, main, options, needsToken } = takeApart(order);
    const fields: Pair[] = [[mainField, main ?? `{{1.${mainField}}}`], ...asDataUri(operation, options)];
    return {
      code: writeForm(
        [
          ['URL', url],
          ['Method', method],
          ...listOf('Header', headersOf(key, needsToken)),
          ...(method === 'GET'
            ? listOf('Query string', fields)
            : ([
                ['Body type', 'application/x-www-form-urlencoded'],
                ...listOf('Field', fields),
              ] satisfies Pair[])),
          ['Parse response', 'Yes'],
        ],
        AFTER[operation],
      ),
      language: '',
      note: 'For the module *HTTP > Make a request*; 1 stands for the module with your text, 2 for this one. A form takes quotes and line breaks as they are.',
    };
  },
};
