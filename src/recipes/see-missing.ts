import type { RecipeOperation } from './recipe-operations.ts';
import { takeApart, usageOf, type Recipe, type SeenMessage } from './recipe.ts';
import { SAY } from './sentences.ts';

/** What people see in Discord when they leave out what the command needs; nothing if the recipe does not check it. */
export function seeMissing(
  operation: RecipeOperation,
  { seen: [asked], code }: Recipe,
): readonly SeenMessage[] {
  if (asked === undefined) return [];
  const { duration } = operation.example.answer;
  const start = asked.text.startsWith('/') ? '/' : '!';
  const [text, reply] =
    operation.recipe.use === 'time_out'
      ? [asked.text.replace(` ${String(duration)}`, ''), SAY.noTime(start)]
      : [
          `${start}${operation.recipe.command}`,
          usageOf(takeApart({ operation, publicUrl: '', key: '', fields: {} })),
        ];
  if (reply === null || !code.includes(reply)) return [];
  return [
    { from: 'user', text, image: null },
    { from: 'bot', text: reply, image: null },
  ];
}
