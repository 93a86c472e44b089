import { asDataUri, headersOf, listOf, writeForm, type FormLines } from './form.ts';
import { takeApart, withOption, type RecipeBook } from './recipe.ts';

const AFTER: FormLines = {
  'parse-args': ['Reply: {qm.response.user_id} for {qm.response.duration}: {qm.response.reason}'],
  'permission-encoder': ['Reply: Bit field {qm.response.bitfield}'],
  'text-splitter': [
    'Reply: {qm.response.chunks_1}',
    'Second reply, when {qm.response.count} is greater than 1: {qm.response.chunks_2}',
  ],
  'image-to-base64': [
    'Second request: POST https://discord.com/api/v10/guilds/{server_id}/emojis',
    'Its header: Authorization = Bot {TOKEN_SECRET}',
    'Its JSON body: {"name":"new_emoji","image":"{qm.response.data_uri}"}',
  ],
  'role-members': ['Reply: {qm.response.count} members: {qm.response.members_text}'],
};
const VARIABLES = {
  text: '{option_text}',
  permissions: '{option_permissions}',
  url: '{option_url}',
  role_id: '{option_role}',
};

/** @see https://docs.botghost.com/custom-commands-and-events/actions/api-actions/send-an-api-request */
export const botGhost: RecipeBook = {
  label: 'BotGhost',
  write(order) {
    const { operation, url, key, mainField, main, options, needsToken } = takeApart(order);
    const flat = withOption(asDataUri(operation, options), 'flat', 'true');
    const parameters = withOption(flat, 'always_200', 'true');
    return {
      code: writeForm(
        [
          ['Request name', 'qm'],
          ['Request type', 'GET'],
          ['Request URL', url],
          ...listOf('URL param', [[mainField, main ?? VARIABLES[mainField]], ...parameters]),
          ...listOf('HTTP header', headersOf(key, needsToken)),
        ],
        AFTER[operation],
      ),
      language: '',
      note: 'For the block *Send an API Request*. URL params are encoded for you, so quotes and line breaks are safe. `{qm.response.ok}` tells whether it worked, `{qm.response.error}` why not.',
    };
  },
};
