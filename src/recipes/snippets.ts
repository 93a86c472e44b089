import type { BuilderId } from '../guild-keys/builders.ts';
import { OPERATIONS } from '../operations/index.ts';
import { RECIPE_BOOKS, type RecipeBookId } from './recipe-books.ts';
import { hasRecipe, type Recipe } from './recipe.ts';

/**
 * The tool whose recipe somebody with a new key gets. The three tools for automation have the same fields under other
 * names.
 */
const BOOKS: Readonly<Record<BuilderId, RecipeBookId>> = {
  code: 'discordjs',
  bdfd: 'bdfd',
  botghost: 'botghost',
  kite: 'kite',
  aoijs: 'aoijs',
  forgescript: 'forgescript',
  discord_bot_maker: 'discord_bot_maker',
  automation: 'make',
};

/**
 * The first call for somebody with a new key: the first operation that the key may call, with the key and the address
 * filled in.
 * @param publicUrl address of the API, without a slash at the end
 * @param operations names of those that the key may call; null for all
 * @returns null when there are no recipes for them
 */
export function snippetFor(
  builder: BuilderId,
  key: string,
  publicUrl: string,
  operations: readonly string[] | null = null,
): Recipe | null {
  const operation = OPERATIONS.filter(hasRecipe).find(
    ({ name }) => operations === null || operations.includes(name),
  );
  if (operation === undefined) return null;
  const recipe = RECIPE_BOOKS[BOOKS[builder]].write({
    operation,
    publicUrl,
    key,
    fields: {},
  });
  return { ...recipe, note: `${recipe.note} More: ${publicUrl}/docs` };
}
