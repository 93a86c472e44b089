import { headersOf, listOf, writeForm, type FormLines } from './form.ts';
import {
  linesFor,
  optionSteps,
  takeApart,
  forLaterChunks,
  withChunksMax,
  withOption,
  type RecipeBook,
  type RecipeParts,
} from './recipe.ts';
import { seeIt, TOLD } from './seen-in-discord.ts';

/** How the reader finds the variables of an answer: their names are shown nowhere else. */
const find = (...keys: readonly string[]) =>
  `Press Test Request and copy the variables that it shows for: ok, error, ${keys.join(', ')}`;

const AFTER: FormLines = {
  time_out: [find('user_id', 'duration', 'reason'), 'Reply: (user_id) for (duration): (reason)'],
  make_role: [find('bitfield'), 'Reply: Bit field (bitfield)'],
  send_chunks: [
    find('count', 'chunks_1', ...forLaterChunks((number) => `chunks_${number}`)),
    'Reply: (chunks_1)',
    ...forLaterChunks(
      (number) => `Reply ${number}, when (count) is greater than ${number - 1}: (chunks_${number})`,
    ),
  ],
  make_emoji: [
    find('data_uri'),
    'Second request: POST https://discord.com/api/v10/guilds/{server_id}/emojis',
    'Its header: Authorization = Bot {TOKEN_SECRET}',
    'Its JSON body: {"name":"new_emoji","image":"(data_uri)"}',
  ],
  list_members: [find('count', 'members_text'), 'Reply: (count) members: (members_text)'],
  show: (keys) => {
    const shown = keys.map(({ key, isList }) => `${key}${isList ? '_text' : ''}`);
    return [find(...shown), `Reply: ${shown.map((key) => `(${key})`).join(', ')}`];
  },
};

const FAILED = 'On the condition that (ok) is false: Reply (error), and nothing else';

function variableOf({ filledBy, mainField }: RecipeParts): string {
  if (filledBy === 'role') return '{option_role}';
  if (filledBy === 'user') return '{user_id}';
  if (filledBy === 'guild') return '{server_id}';
  return filledBy === 'long_text' ? '{your_long_text}' : `{option_${mainField}}`;
}

/** @see https://docs.botghost.com/custom-commands-and-events/actions/api-actions/send-an-api-request */
export const botGhost: RecipeBook = {
  label: 'BotGhost',
  checked: 'BotGhost has no public source: how it names the variables of an answer is not confirmed.',
  write(order) {
    const parts = takeApart(order);
    const { url, key, mainField, main, argumentOptions, needsToken } = parts;
    const flat = withOption(withChunksMax(argumentOptions, parts), 'flat', 'true');
    const parameters = withOption(flat, 'always_200', 'true');
    return {
      ...writeForm(
        [
          ['Request name', 'qm'],
          ['Request type', 'GET'],
          ['Request URL', url],
          ...listOf('URL param', [[mainField, main ?? variableOf(parts)], ...parameters]),
          ...listOf('HTTP header', headersOf(key, needsToken)),
        ],
        linesFor(AFTER, parts).toSpliced(1, 0, FAILED),
      ),
      language: '',
      before: [
        `Make the slash command \`/${parts.operation.recipe.command}\` in the command builder.`,
        ...optionSteps(parts),
        'Add the action *Send an API Request* and open it.',
      ],
      afterwards: ['Save the command and run it in your server.'],
      seen: seeIt(parts, 'slash', TOLD),
      note: `For the block *Send an API Request*. URL params are encoded for you, so quotes and line breaks are safe. Words in round brackets are the variables that you copied.${
        parts.filledBy === 'long_text'
          ? ' Put the variable of your long text in place of {your_long_text}.'
          : ''
      }`,
    };
  },
};
