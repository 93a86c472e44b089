import { asDataUri, headersOf, listOf, writeForm, type FormLines } from './form.ts';
import { mainOrExample, takeApart, type Pair, type RecipeBook } from './recipe.ts';

const AFTER: FormLines = {
  'parse-args': ['Then use: User Id, Duration, Reason of this step'],
  'permission-encoder': ['Then use: Bitfield of this step'],
  'text-splitter': [
    'Then: Looping by Zapier > Create Loop From Line Items over Chunks, and Discord > Send Channel Message in it',
  ],
  'image-to-base64': ['Then use: Data Uri of this step'],
  'role-members': ['Then use: Count and Members of this step'],
};

/** @see https://help.zapier.com/hc/en-us/articles/8496326446989-Send-webhooks-in-Zaps */
export const zapier: RecipeBook = {
  label: 'Zapier',
  write(order) {
    const parts = takeApart(order);
    const { operation, method, url, key, mainField, options, needsToken } = parts;
    const fields: Pair[] = [
      [mainField, parts.main ?? `{{your ${mainField}}}`],
      ...asDataUri(operation, options),
    ];
    return {
      code: writeForm(
        [
          ['App', 'Webhooks by Zapier'],
          ['Event', method],
          ['URL', url],
          ...(method === 'GET'
            ? listOf('Query String Params', fields)
            : ([['Payload Type', 'form'], ...listOf('Data', fields)] satisfies Pair[])),
          ...listOf('Headers', headersOf(key, needsToken)),
        ],
        AFTER[operation],
      ),
      language: '',
      note: `Put the ${mainField} of an earlier step in place of {{your ${mainField}}}, for a first test perhaps “${mainOrExample({ ...parts, main: null })}”.`,
    };
  },
};
