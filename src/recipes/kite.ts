import { asDataUri, headersOf, listOf, writeForm, type FormLines } from './form.ts';
import { takeApart, type Pair, type RecipeBook } from './recipe.ts';

const kiteResult = (name: string) => `{{ fromJSON(result('qm').body()).${name} }}`;
const AFTER: FormLines = {
  'parse-args': [
    `Message: <@${kiteResult('user_id')}> for ${kiteResult('duration')}: ${kiteResult('reason')}`,
  ],
  'permission-encoder': [`Message: Bit field ${kiteResult('bitfield')}`],
  'text-splitter': [
    `Message: ${kiteResult('chunks[0]')}`,
    `Second message, on the condition that ${kiteResult('count')} is greater than 1: ${kiteResult('chunks[1]')}`,
  ],
  'image-to-base64': [`Image as Discord takes it: ${kiteResult('data_uri')}`],
  'role-members': [`Message: ${kiteResult('count')} members`],
};
const VARIABLES = {
  text: "{{ arg('text') }}",
  permissions: "{{ arg('permissions') }}",
  url: "{{ arg('url') }}",
  role_id: "{{ arg('role') }}",
};

/** @see https://docs.kite.onl/reference/expressions */
export const kite: RecipeBook = {
  label: 'Kite',
  write(order) {
    const { operation, url, key, mainField, main, options, needsToken } = takeApart(order);
    const parameters: Pair[] = [[mainField, main ?? VARIABLES[mainField]], ...asDataUri(operation, options)];
    return {
      code: writeForm(
        [
          ['Block ID', 'qm'],
          ['Method', 'GET'],
          ['URL', url],
          ...listOf('Query', parameters),
          ...listOf('Header', headersOf(key, needsToken)),
        ],
        AFTER[operation],
      ),
      language: '',
      note: 'For the block *Send API Request*. `qm` stands for the id of your block; the query is encoded for you.',
    };
  },
};
