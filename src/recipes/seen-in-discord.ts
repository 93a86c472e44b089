import type { RecipeOperation } from './recipe-operations.ts';
import {
  linesFor,
  expandRequest,
  usageOf,
  type FilledBy,
  type Recipe,
  type RecipeParts,
  type SeenMessage,
  type Uses,
} from './recipe.ts';
import { showValue } from './request-fields.ts';
import { SENTENCES } from './sentences.ts';

/** Writes the value of a key of the answer, as a tool's variable or from the example. */
export type Show = (key: string) => string;

/** Replies of a command that has worked, by what the bot does with the answer. */
export type Replies = Uses<(show: Show) => string>;

/** Replies in tools whose command acts on the answer. */
export const SUCCESS_REPLIES: Replies = {
  time_out: (show) => `<@${show('user_id')}> is timed out for ${show('duration')}: ${show('reason')}`,
  make_role: (show) => `New role Helper: ${show('permissions')}`,
  send_chunks: () => '',
  make_emoji: () => 'New emoji: ',
  list_members: (show) => `${show('count')} members. The first ${show('returned')}: ${show('members')}`,
  post_text: (show) => `Messages posted: ${show('sent')} of ${show('total')}`,
  show: (keys) => (show) => keys.map(({ key }) => `${key}: ${show(key)}`).join('\n'),
};

/** The same, with members mentioned one by one. */
export const MENTIONED: Replies = {
  ...SUCCESS_REPLIES,
  list_members: (show) => {
    const ids = show('members').split(', ');
    return `${show('count')} members. The first ${show('returned')}: ${ids.map((id) => `<@${id}>`).join(' ')}`;
  },
};

/** Replies in tools whose commands can only set permissions that are written into them: they show the bit field. */
export const BITFIELD_REPLIES: Replies = {
  ...SUCCESS_REPLIES,
  make_role: (show) => `Bit field ${show('bitfield')}`,
};

/** The same, in tools whose commands know an emoji only by the name that they give it. */
export const EMOJI_NAME_REPLIES: Replies = {
  ...BITFIELD_REPLIES,
  make_emoji: () => 'New emoji: new_emoji',
};

/** `message`: a message that starts with the command; `slash`: a slash command with an option. */
export type CalledBy = 'message' | 'slash';

/** The messages that a working recipe shows, with the values of the operation's example. */
export function previewOf(
  parts: RecipeParts,
  calledBy: CalledBy = 'message',
  replies: Replies = SUCCESS_REPLIES,
): readonly SeenMessage[] {
  const { answer } = parts.operation.example;
  const show: Show = (key) => showValue(answer[key]);
  return [asked(parts, calledBy), ...answered(parts, linesFor(replies, parts)(show))];
}

/**
 * A tool's variables, in which a list is one text.
 * @param write writes a key of the flat answer as the tool's variable
 */
export function showFlat({ operation }: RecipeParts, write: Show): Show {
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
  const start = `${calledBy === 'slash' ? '/' : '!'}${recipe.command}`;
  return {
    from: 'user',
    text: words === '' ? start : `${start} ${words}`,
    // The page shows no pictures from other sites.
    image: filledBy === 'image' && calledBy === 'message' ? showValue(example.answer['data_uri']) : null,
  };
}

function answered({ operation, use, mainField }: RecipeParts, text: string): SeenMessage[] {
  const { answer, input } = operation.example;
  if (use === 'post_text')
    return [{ from: 'webhook', text: showValue(input[mainField]), image: null }, byBot(text)];
  if (use === 'send_chunks') return [answer['chunks']].flat().map((chunk) => byBot(showValue(chunk)));
  return [byBot(text, use === 'make_emoji' ? showValue(answer['data_uri']) : null)];
}

function byBot(text: string, image: string | null = null): SeenMessage {
  return { from: 'bot', text, image };
}

/** The messages in Discord when the command's input is missing; none if the recipe does not check that. */
export function seeMissing(
  operation: RecipeOperation,
  { seen: [asked], code }: Recipe,
): readonly SeenMessage[] {
  if (asked === undefined) return [];
  const { duration } = operation.example.answer;
  const start = asked.text.startsWith('/') ? '/' : '!';
  const [text, reply] =
    operation.recipe.use === 'time_out'
      ? [asked.text.replace(` ${String(duration)}`, ''), SENTENCES.noTime(start)]
      : [
          `${start}${operation.recipe.command}`,
          usageOf(expandRequest({ operation, publicUrl: '', key: '', fields: {} })),
        ];
  if (reply === null || !code.includes(reply)) return [];
  return [
    { from: 'user', text, image: null },
    { from: 'bot', text: reply, image: null },
  ];
}
