import { asDataUri, headersOf, writeForm, type FormLines } from './form.ts';
import { takeApart, withQuery, type Pair, type RecipeBook } from './recipe.ts';

const AFTER: FormLines = {
  'parse-args': [
    'Later: <@${tempVars("qm").user_id}> for ${tempVars("qm").duration}: ${tempVars("qm").reason}',
  ],
  'permission-encoder': ['Later: ${tempVars("qm").bitfield}'],
  'text-splitter': [
    'Later, in a Loop Through List of ${tempVars("qm").chunks}: Send Message ${tempVars("chunk")}',
  ],
  'image-to-base64': ['Later: ${tempVars("qm").data_uri}'],
  'role-members': ['Later: ${tempVars("qm").count} members'],
};

/** @see https://github.com/dbm-network/mods/blob/master/actions/store_json_from_webapi_MOD.js */
export const discordBotMaker: RecipeBook = {
  label: 'Discord Bot Maker',
  write(order) {
    const { operation, url, key, mainField, main, options, needsToken } = takeApart(order);
    const query = asDataUri(operation, options);
    const address =
      main === null
        ? withQuery(url, query, `${mainField}=\${encodeURIComponent(tempVars("${mainField}"))}`)
        : withQuery(url, [[mainField, main], ...query]);
    return {
      code: writeForm(
        [
          ['WebAPI URL', address],
          ...headersOf(key, needsToken).map(([name, value]): Pair => ['Headers', `${name}:${value}`]),
          ['JSON Path', ''],
          ['Store In', 'Temp Variable qm'],
        ],
        AFTER[operation],
      ),
      language: '',
      note: `For *Store Json From WebAPI* of DBM Mods; leave JSON Path empty to get everything. First store the ${mainField} in the temp variable \`${mainField}\`.`,
    };
  },
};
