import { headersOf, writeForm, type FormLines } from './form.ts';
import {
  ADDRESS_NOTE,
  linesFor,
  PERMISSION_LABELS,
  takeApart,
  withOption,
  withQuery,
  type Pair,
  type RecipeBook,
  type RecipeParts,
} from './recipe.ts';
import { seeIt, TOLD, type Replies, type Show } from './seen-in-discord.ts';
import { AWAY, noMember, noTime, NO_EMOJI, PENDING } from './sentences.ts';

const result = (name: string) => `\${tempVars("qm").${name}}`;
const onlyIf = (condition: string, otherwise: string) =>
  `Check If ${condition}: Send Message ${otherwise}, and end there`;

/** What is done with the answer before the reply. */
const ACT: FormLines = {
  time_out: [
    onlyIf(`${result('user_id')} is empty`, noMember('!')),
    onlyIf(`${result('duration_seconds')} is empty`, noTime('!')),
  ],
  make_role: [],
  send_chunks: [`In a Loop Through List of ${result('chunks')}: Send Message \${tempVars("chunk")}`],
  make_emoji: [onlyIf(`${result('emoji_ok')} is false`, NO_EMOJI)],
  list_members: [onlyIf(`${result('pending')} is true`, PENDING)],
  show: () => [],
};

const REPLIES: Replies = { ...TOLD, make_emoji: () => 'This picture can be an emoji.' };

const FAILED = [
  onlyIf(`${result('ok')} is false`, result('error')),
  onlyIf(`${result('ok')} is not true`, AWAY),
];

/** @see https://github.com/dbm-network/mods/blob/master/actions/store_json_from_webapi_MOD.js */
export const discordBotMaker: RecipeBook = {
  label: 'Discord Bot Maker',
  checked:
    'Written from the source of the mod (`store_json_from_webapi_MOD.js` of dbm-network/mods); not checked in the editor.',
  write(order) {
    const parts = takeApart(order);
    const { url, key, mainField, main, options, needsToken, operation, filledBy, use } = parts;
    const { command, permission } = operation.recipe;
    // Chunks are read as a list, everything else as texts.
    const query = use === 'send_chunks' ? options : withOption(options, 'flat', 'true');
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
        [...FAILED, ...linesFor(ACT, parts), ...replies(parts)],
      ),
      language: '',
      before: [
        'Install DBM Mods, which brings the action.',
        `Make the command \`${command}\` and restrict it to servers${permission === null ? '' : ` and to members with the permission *${PERMISSION_LABELS[permission]}*`}.`,
        ...(main === null
          ? [`Store ${SOURCES[filledBy] ?? `the ${mainField}`} in the temp variable \`${mainField}\`.`]
          : []),
        'Add the action *Store Json From WebAPI* and open it. The key goes into its headers: share the project only without it.',
      ],
      afterwards: ['Save the project, start the bot and run the command.'],
      seen: seeIt(parts, 'message', REPLIES),
      note: `For *Store Json From WebAPI* of DBM Mods; leave JSON Path empty to get everything.${main === null && filledBy !== 'user' && filledBy !== 'guild' && filledBy !== 'role' ? ` ${ADDRESS_NOTE}` : ''}`,
    };
  },
};

const SOURCES: Readonly<Partial<Record<RecipeParts['filledBy'], string>>> = {
  line: 'the whole message',
  text: 'the text after the command',
  long_text: 'the long text, such as the answer of another request,',
  image: 'the address of the attached picture',
  role: 'the id of the mentioned role',
  user: 'the id of the command author',
  guild: 'the id of the server',
};

/** Lists come as one text. */
function replies(parts: RecipeParts): string[] {
  if (parts.use === 'send_chunks') return [];
  const { answer } = parts.operation.example;
  const show: Show = (key) => result(`${key}${Array.isArray(answer[key]) ? '_text' : ''}`);
  return linesFor(
    REPLIES,
    parts,
  )(show)
    .split('\n')
    .map((line) => `Send Message ${line}`);
}
