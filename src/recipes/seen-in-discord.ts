import type { RecipeUse } from '../operations/operation.ts';
import type { RecipeOperation } from './recipe.ts';

/** One message as Discord shows it. */
export interface SeenMessage {
  readonly from: 'user' | 'bot';
  readonly text: string;
  /** Address of a picture below the text; null for none. */
  readonly image: string | null;
}

type Show = (key: string) => string;

/** What a bot does with an answer. Chunks are a message each. */
const DONE: Readonly<Record<RecipeUse, (show: Show, chunks: readonly string[]) => readonly SeenMessage[]>> = {
  time_out: (show) => [byBot(`<@${show('user_id')}> for ${show('duration')}: ${show('reason')}`)],
  make_role: (show) => [byBot(`Bit field ${show('bitfield')}`)],
  send_chunks: (_show, chunks) => chunks.map((chunk) => byBot(chunk)),
  make_emoji: (show) => [byBot('New emoji:', show('data_uri'))],
  list_members: (show) => [byBot(`${show('count')} members: ${show('members')}`)],
};

/** What people see in Discord when a recipe works: with the values of the example, and in no tool's exact words. */
export function seenInDiscord({ recipe, example }: RecipeOperation): readonly SeenMessage[] {
  const { field, filledBy, use } = recipe;
  const { answer, input } = example;
  const show: Show = (key) => showValue(answer[key]);
  const isTyped = filledBy === 'line' || filledBy === 'text';
  const asked: readonly SeenMessage[] = isTyped
    ? [{ from: 'user', text: showValue(input[field]), image: null }]
    : [];
  const done =
    typeof use === 'string'
      ? DONE[use](show, [answer['chunks']].flat().map(showValue))
      : [byBot(use.map((key) => `${key}: ${show(key)}`).join('\n'))];
  return [...asked, ...done];
}

function byBot(text: string, image: string | null = null): SeenMessage {
  return { from: 'bot', text, image };
}

function showValue(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}
