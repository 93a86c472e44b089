import { headersOf, listOf, showKeys, writeForm, type FormLines } from './form.ts';
import { linesFor, takeApart, type FormField, type Pair, type RecipeBook } from './recipe.ts';
import { seeIt, TOLD } from './seen-in-discord.ts';

const AFTER: FormLines = {
  time_out: ['Then map: {{2.data.user_id}}, {{2.data.duration}}, {{2.data.reason}}'],
  make_role: ['Then map: {{2.data.bitfield}}'],
  send_chunks: ['Then: Iterator over {{2.data.chunks}}, and Discord > Send a Message with {{3.value}}'],
  make_emoji: [
    'Then: HTTP > Make a request, POST https://discord.com/api/v10/guilds/YOUR_SERVER_ID/emojis',
    'Its header: Authorization = Bot YOUR_BOT_TOKEN',
    'Its JSON body: {"name":"new_emoji","image":"{{2.data.data_uri}}"}',
  ],
  list_members: ['Then map: {{2.data.count}}, or an Iterator over {{2.data.members}}'],
  show: (keys) => [`Then map: ${showKeys(keys, (key) => `{{2.data.${key}}}`)}`],
};

const FAILED = 'First a Router, one route with the filter {{2.data.ok}} = false: show {{2.data.error}}';

/** @see https://apps.make.com/http */
export const make: RecipeBook = {
  label: 'Make',
  checked:
    'Written from the documentation of the HTTP app; Make has no public source, so it was not checked in the editor.',
  write(order) {
    const parts = takeApart(order);
    const { method, url, key, mainField, main, options, needsToken } = parts;
    const fields: Pair[] = [
      [mainField, main ?? `{{1.${parts.filledBy === 'long_text' ? 'data' : mainField}}}`],
      ...options,
    ];
    return {
      ...writeForm(
        [
          ['URL', url],
          ['Method', method],
          ...listOf('Header', headersOf(key, needsToken)),
          ...(method === 'GET'
            ? listOf('Query string', fields)
            : ([
                ['Body type', 'application/x-www-form-urlencoded'],
                ...listOf('Field', fields),
              ] satisfies FormField[])),
          ['Parse response', 'Yes'],
          ['Evaluate all states as errors', 'No'],
        ],
        [FAILED, ...linesFor(AFTER, parts)],
      ),
      language: '',
      before: [
        'Open your scenario and add the module *HTTP > Make a request* after the one that has your text.',
      ],
      afterwards: ['Save the scenario and press *Run once*.'],
      seen: seeIt(parts, 'message', TOLD),
      note: 'For the module *HTTP > Make a request*; 1 is the module with your text, 2 is this one. A form takes quotes and line breaks as they are.',
    };
  },
};
