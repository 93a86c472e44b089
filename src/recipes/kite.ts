import { headersOf, listOf, showKeys, writeForm, type FormLines } from './form.ts';
import {
  linesFor,
  optionSteps,
  takeApart,
  forLaterChunks,
  withChunksMax,
  withOption,
  type Pair,
  type RecipeBook,
  type RecipeParts,
} from './recipe.ts';
import { seeIt, TOLD } from './seen-in-discord.ts';

const kiteResult = (name: string) => `{{ result('qm').data().${name} }}`;
const AFTER: FormLines = {
  time_out: [`Message: <@${kiteResult('user_id')}> for ${kiteResult('duration')}: ${kiteResult('reason')}`],
  make_role: [`Message: Bit field ${kiteResult('bitfield')}`],
  send_chunks: [
    `Message: ${kiteResult('chunks[0]')}`,
    ...forLaterChunks(
      (number) =>
        `Message ${number}, on the condition that ${kiteResult('count')} is greater than ${number - 1}: ${kiteResult(`chunks[${number - 1}]`)}`,
    ),
  ],
  make_emoji: [`Image as Discord takes it: ${kiteResult('data_uri')}`],
  list_members: [`Message: ${kiteResult('count')} members`],
  show: (keys) => [`Message: ${showKeys(keys, kiteResult)}`],
};

const FAILED = `First, on the condition that ${kiteResult('ok')} is false: Message ${kiteResult('error')}`;

function variableOf({ filledBy, mainField }: RecipeParts): string {
  if (filledBy === 'long_text') return "{{ result('other').body() }}";
  if (filledBy === 'user') return '{{ user.id }}';
  if (filledBy === 'guild') return '{{ guild.id }}';
  return `{{ arg('${filledBy === 'role' ? 'role' : mainField}') }}`;
}

/** @see https://docs.kite.onl/reference/expressions */
export const kite: RecipeBook = {
  label: 'Kite',
  checked: "Written from Kite's documentation (Expressions, *Send API Request*); not checked in the editor.",
  write(order) {
    const parts = takeApart(order);
    const { url, key, mainField, main, argumentOptions, needsToken } = parts;
    const parameters: Pair[] = [
      [mainField, main ?? variableOf(parts)],
      // A block that fails ends the flow before it can show why.
      ...withOption(withChunksMax(argumentOptions, parts), 'always_200', 'true'),
    ];
    return {
      ...writeForm(
        [
          ['Block ID', 'qm'],
          ['Method', 'GET'],
          ['URL', url],
          ...listOf('Query', parameters),
          ...listOf('Header', headersOf(key, needsToken)),
        ],
        [FAILED, ...linesFor(AFTER, parts)],
      ),
      language: '',
      before: [
        `Make the command \`/${parts.operation.recipe.command}\` and open it in the flow editor.`,
        ...optionSteps(parts),
        'Add the block *Send API Request* and open it.',
      ],
      afterwards: ['Save the flow and run the command in your server.'],
      seen: seeIt(parts, 'slash', TOLD),
      note: `For the block *Send API Request*. \`qm\` is the id of your block${parts.filledBy === 'long_text' ? ', `other` that of the request that answers with the long text' : ''}; the query is encoded for you.`,
    };
  },
};
