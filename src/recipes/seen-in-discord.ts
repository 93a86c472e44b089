import type { RecipeOperation } from './recipe-operations.ts';
import {
  chooseByUse,
  expandRequest,
  usageOf,
  type FilledBy,
  type Recipe,
  type RecipeParts,
  type SeenMessage,
  type ByUse,
} from './recipe.ts';
import { showValue } from './request-fields.ts';
import { SENTENCES } from './sentences.ts';

/** Writes the value of a key of the answer, as a builder's variable or from the example. */
export type ShowKey = (key: string) => string;

/** Replies of a command that has worked, by what the bot does with the answer. */
export type Replies = ByUse<(showKey: ShowKey) => string>;

/** Replies in builders whose command acts on the answer. */
const SUCCESS_REPLIES: Replies = {
  time_out: (showKey) =>
    `<@${showKey('user_id')}> is timed out for ${showKey('duration')}. ${showKey('reason')}`,
  make_role: (showKey) => `New role Helper: ${showKey('permissions')}`,
  send_chunks: () => '',
  make_emoji: () => 'New emoji: ',
  list_members: (showKey) =>
    `${showKey('count')} members. The first ${showKey('returned')}: ${showKey('members')}`,
  list_roles: (showKey) => `${showKey('members')} members\n${showKey('roles').replaceAll(', ', '\n')}`,
  post_text: (showKey) => `Messages posted: ${showKey('sent')} of ${showKey('total')}`,
  showKeys: (keys) => (showKey) => keys.map(({ key }) => `${key}: ${showKey(key)}`).join('\n'),
};

const MENTIONED_ROLES: Replies['list_roles'] = (showKey) =>
  SUCCESS_REPLIES.list_roles((key) => showKey(key).replaceAll(/\b(\d{17,20}): /g, '<@&$1>: '));

/** The same, in builders whose replies ping nobody: roles are mentioned. */
export const ROLE_NAME_REPLIES: Replies = { ...SUCCESS_REPLIES, list_roles: MENTIONED_ROLES };

/** The same, with members mentioned one by one. */
export const MENTIONED: Replies = {
  ...SUCCESS_REPLIES,
  list_members: (showKey) => {
    const ids = showKey('members').split(', ');
    return `${showKey('count')} members. The first ${showKey('returned')}: ${ids.map((id) => `<@${id}>`).join(' ')}`;
  },
  list_roles: MENTIONED_ROLES,
};

/** Replies in builders whose commands can only set permissions that are written into them: they show the bit field. */
export const BITFIELD_REPLIES: Replies = {
  ...ROLE_NAME_REPLIES,
  make_role: (showKey) => `Bit field ${showKey('bitfield')}`,
};

/** The same, in builders whose commands know an emoji only by the name that they give it. */
export const EMOJI_NAME_REPLIES: Replies = {
  ...BITFIELD_REPLIES,
  make_emoji: () => 'New emoji: new_emoji',
  list_roles: (showKey) => `${showKey('members')} members. Roles: ${showKey('roles')}`,
};

/** The same, in builders that write each role by itself. */
export const SLASH_REPLIES: Replies = { ...EMOJI_NAME_REPLIES, list_roles: () => '' };

/** `message`: a message that starts with the command; `slash`: a slash command with an option. */
export type CalledBy = 'message' | 'slash';

/** The messages that a working recipe shows, with the values of the operation's example. */
export function previewOf(
  parts: RecipeParts,
  calledBy: CalledBy = 'message',
  replies: Replies = SUCCESS_REPLIES,
): readonly SeenMessage[] {
  const { answer } = parts.operation.example;
  const showKey: ShowKey = (key) => showValue(answer[key] ?? columnOf(answer, key));
  return [asked(parts, calledBy), ...answered(parts, chooseByUse(replies, parts)(showKey))];
}

/** `roles_count`: the counts of all roles, as builders write a list of objects that write a list for each key. */
function columnOf(answer: RecipeOperation['example']['answer'], key: string): readonly unknown[] {
  const [, list = '', name = ''] = /^([a-z]+)_(\w+)$/.exec(key) ?? [];
  return [answer[list] ?? []].flat().map((entry) => (entry as Record<string, unknown>)[name]);
}

/**
 * A builder's variables, in which a list is one text.
 * @param write writes a key of the flat answer as the builder's variable
 */
export function showFlat({ operation }: RecipeParts, write: ShowKey): ShowKey {
  const { answer } = operation.example;
  return (key) => write(Array.isArray(answer[key]) ? `${key}_text` : key);
}

function asked({ operation, filledBy, mainField }: RecipeParts, calledBy: CalledBy): SeenMessage {
  const { recipe, example } = operation;
  const given = showValue(example.input[mainField]);
  const typed: Readonly<Record<FilledBy, string>> = {
    line: given.split(' ').slice(1).join(' '),
    text: given,
    long_text: given,
    image: calledBy === 'slash' ? given : '',
    role: '@Example',
    user: '',
    guild: '',
  };
  const words = typed[filledBy];
  const command = `${calledBy === 'slash' ? '/' : '!'}${recipe.command}`;
  return {
    from: 'user',
    text: words === '' ? command : `${command} ${words}`,
    // The page shows no pictures from other sites.
    image: filledBy === 'image' && calledBy === 'message' ? showValue(example.answer['data_uri']) : null,
  };
}

function answered({ operation, use, mainField }: RecipeParts, text: string): SeenMessage[] {
  const { answer, input } = operation.example;
  if (use === 'post_text')
    return [{ from: 'webhook', text: showValue(input[mainField]), image: null }, byBot(text)];
  if (use === 'list_roles' && text === '') {
    const roles = [answer['roles']].flat().map(showValue);
    return [`${showValue(answer['members'])} members`, ...roles].map((each) => byBot(each));
  }
  if (use === 'send_chunks') return [answer['chunks']].flat().map((chunk) => byBot(showValue(chunk)));
  return [byBot(text, use === 'make_emoji' ? showValue(answer['data_uri']) : null)];
}

function byBot(text: string, image: string | null = null): SeenMessage {
  return { from: 'bot', text, image };
}

/** The messages in Discord when the command's input is missing; none if the recipe does not check that. */
export function previewMissingInput(
  operation: RecipeOperation,
  { seen: [asked], code }: Recipe,
): readonly SeenMessage[] {
  if (asked === undefined) return [];
  const { duration } = operation.example.answer;
  const prefix = asked.text.startsWith('/') ? '/' : '!';
  const [text, reply] =
    operation.recipe.use === 'time_out'
      ? [asked.text.replace(` ${String(duration)}`, ''), SENTENCES.noTime(prefix)]
      : [
          `${prefix}${operation.recipe.command}`,
          usageOf(expandRequest({ operation, publicUrl: '', key: '', fields: {} })),
        ];
  if (reply === null || !code.includes(reply)) return [];
  return [
    { from: 'user', text, image: null },
    { from: 'bot', text: reply, image: null },
  ];
}
