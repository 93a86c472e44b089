import type { RecipeOperation } from './recipe.ts';

/** One message as Discord shows it. */
export interface SeenMessage {
  readonly from: 'user' | 'bot';
  readonly text: string;
  /** Address of a picture below the text; null for none. */
  readonly image: string | null;
}

/** What people see in Discord when a recipe works: with the values of the example, and in no tool's exact words. */
export function seenInDiscord({ recipe, example }: RecipeOperation): readonly SeenMessage[] {
  const { field, filledBy, use } = recipe;
  const { answer } = example;
  const show = (key: string) => showValue(answer[key]);
  const bot = (text: string, image: string | null = null): SeenMessage => ({ from: 'bot', text, image });
  const asked: readonly SeenMessage[] =
    filledBy === 'line' || filledBy === 'text'
      ? [{ from: 'user', text: showValue(example.input[field]), image: null }]
      : [];
  if (typeof use !== 'string') {
    return [...asked, bot(use.map((key) => `${key}: ${show(key)}`).join('\n'))];
  }
  switch (use) {
    case 'time_out':
      return [...asked, bot(`<@${show('user_id')}> for ${show('duration')}: ${show('reason')}`)];
    case 'make_role':
      return [...asked, bot(`Bit field ${show('bitfield')}`)];
    case 'send_chunks':
      return [answer['chunks']].flat().map((chunk) => bot(showValue(chunk)));
    case 'make_emoji':
      return [bot('New emoji:', typeof answer['data_uri'] === 'string' ? answer['data_uri'] : null)];
    case 'list_members':
      return [bot(`${show('count')} members: ${show('members')}`)];
  }
}

function showValue(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}
