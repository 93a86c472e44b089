import { headersOf, listOf, showKeys, writeForm, type FormLines } from './form.ts';
import { linesFor, takeApart, type Pair, type RecipeBook, type RecipeParts } from './recipe.ts';

const kiteResult = (name: string) => `{{ fromJSON(result('qm').body()).${name} }}`;
const AFTER: FormLines = {
  time_out: [`Message: <@${kiteResult('user_id')}> for ${kiteResult('duration')}: ${kiteResult('reason')}`],
  make_role: [`Message: Bit field ${kiteResult('bitfield')}`],
  send_chunks: [
    `Message: ${kiteResult('chunks[0]')}`,
    `Second message, on the condition that ${kiteResult('count')} is greater than 1: ${kiteResult('chunks[1]')}`,
  ],
  make_emoji: [`Image as Discord takes it: ${kiteResult('data_uri')}`],
  list_members: [`Message: ${kiteResult('count')} members`],
  show: (keys) => [`Message: ${showKeys(keys, kiteResult)}`],
};

function variableOf({ filledBy, mainField }: RecipeParts): string {
  return `{{ arg('${filledBy === 'role' ? 'role' : mainField}') }}`;
}

/** @see https://docs.kite.onl/reference/expressions */
export const kite: RecipeBook = {
  label: 'Kite',
  write(order) {
    const parts = takeApart(order);
    const { url, key, mainField, main, options, needsToken } = parts;
    const parameters: Pair[] = [[mainField, main ?? variableOf(parts)], ...options];
    return {
      code: writeForm(
        [
          ['Block ID', 'qm'],
          ['Method', 'GET'],
          ['URL', url],
          ...listOf('Query', parameters),
          ...listOf('Header', headersOf(key, needsToken)),
        ],
        linesFor(AFTER, parts),
      ),
      language: '',
      note: 'For the block *Send API Request*. `qm` stands for the id of your block; the query is encoded for you.',
    };
  },
};
