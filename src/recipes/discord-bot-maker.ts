import { headersOf, showKeys, writeForm, type FormLines } from './form.ts';
import { linesFor, takeApart, withQuery, type Pair, type RecipeBook } from './recipe.ts';
import { seeIt, TOLD } from './seen-in-discord.ts';

const AFTER: FormLines = {
  time_out: ['Later: <@${tempVars("qm").user_id}> for ${tempVars("qm").duration}: ${tempVars("qm").reason}'],
  make_role: ['Later: ${tempVars("qm").bitfield}'],
  send_chunks: [
    'Later, in a Loop Through List of ${tempVars("qm").chunks}: Send Message ${tempVars("chunk")}',
  ],
  make_emoji: ['Later: ${tempVars("qm").data_uri}'],
  list_members: ['Later: ${tempVars("qm").count} members'],
  show: (keys) => [`Later: ${showKeys(keys, (key) => `\${tempVars("qm").${key}}`)}`],
};

const FAILED = 'First, when ${tempVars("qm").ok} is false: Send Message ${tempVars("qm").error}';

/** @see https://github.com/dbm-network/mods/blob/master/actions/store_json_from_webapi_MOD.js */
export const discordBotMaker: RecipeBook = {
  label: 'Discord Bot Maker',
  checked: 'Written from the source of the mod (`store_json_from_webapi_MOD.js` of dbm-network/mods).',
  write(order) {
    const parts = takeApart(order);
    const { url, key, mainField, main, options: query, needsToken } = parts;
    const address =
      main === null
        ? withQuery(url, query, `${mainField}=\${encodeURIComponent(tempVars("${mainField}"))}`)
        : withQuery(url, [[mainField, main], ...query]);
    return {
      ...writeForm(
        [
          ['WebAPI URL', address],
          ...headersOf(key, needsToken).map(([name, value]): Pair => ['Headers', `${name}:${value}`]),
          ['JSON Path', ''],
          ['Store In', 'Temp Variable qm'],
        ],
        [FAILED, ...linesFor(AFTER, parts)],
      ),
      language: '',
      before: [
        'Install DBM Mods, which brings the action, and open your command.',
        'Add the action *Store Json From WebAPI* and open it.',
      ],
      afterwards: ['Save the project, start the bot and run the command.'],
      seen: seeIt(parts, 'message', TOLD),
      note: `For *Store Json From WebAPI* of DBM Mods; leave JSON Path empty to get everything. First store ${parts.filledBy === 'long_text' ? 'the long text, such as the answer of another request,' : `the ${mainField}`} in the temp variable \`${mainField}\`.`,
    };
  },
};
