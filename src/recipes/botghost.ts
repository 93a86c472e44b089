import { headersOf, listOf, writeForm, type FormLines } from './form.ts';
import { linesFor, takeApart, withOption, type RecipeBook, type RecipeParts } from './recipe.ts';

const AFTER: FormLines = {
  time_out: ['Reply: {qm.response.user_id} for {qm.response.duration}: {qm.response.reason}'],
  make_role: ['Reply: Bit field {qm.response.bitfield}'],
  send_chunks: [
    'Reply: {qm.response.chunks_1}',
    'Second reply, when {qm.response.count} is greater than 1: {qm.response.chunks_2}',
  ],
  make_emoji: [
    'Second request: POST https://discord.com/api/v10/guilds/{server_id}/emojis',
    'Its header: Authorization = Bot {TOKEN_SECRET}',
    'Its JSON body: {"name":"new_emoji","image":"{qm.response.data_uri}"}',
  ],
  list_members: ['Reply: {qm.response.count} members: {qm.response.members_text}'],
  show: (keys) => keys.map(({ key, isList }) => `Reply: {qm.response.${key}${isList ? '_text' : ''}}`),
};

function variableOf({ filledBy, mainField }: RecipeParts): string {
  return filledBy === 'role' ? '{option_role}' : `{option_${mainField}}`;
}

/** @see https://docs.botghost.com/custom-commands-and-events/actions/api-actions/send-an-api-request */
export const botGhost: RecipeBook = {
  label: 'BotGhost',
  write(order) {
    const parts = takeApart(order);
    const { url, key, mainField, main, options, needsToken } = parts;
    const flat = withOption(options, 'flat', 'true');
    const parameters = withOption(flat, 'always_200', 'true');
    return {
      code: writeForm(
        [
          ['Request name', 'qm'],
          ['Request type', 'GET'],
          ['Request URL', url],
          ...listOf('URL param', [[mainField, main ?? variableOf(parts)], ...parameters]),
          ...listOf('HTTP header', headersOf(key, needsToken)),
        ],
        linesFor(AFTER, parts),
      ),
      language: '',
      note: 'For the block *Send an API Request*. URL params are encoded for you, so quotes and line breaks are safe. `{qm.response.ok}` tells whether it worked, `{qm.response.error}` why not.',
    };
  },
};
