import { keyBuilderOf, type KeyBuilderId } from './builders.ts';
import { RECIPE_WRITERS } from './recipe-writers.ts';
import { RECIPE_OPERATIONS } from './recipe-operations.ts';
import { expandRequest } from './recipe.ts';
import { KEY_PLACEHOLDER } from './request-fields.ts';
import type { Step } from './steps.ts';

export interface FirstRecipe {
  /** Where it begins. */
  readonly steps: readonly Step[];
  /** The URL of the page that has the whole recipe, ready to copy. */
  readonly url: string;
}

/** With more steps, readers would take them for the whole recipe. */
const STEPS_MAX = 3;

/**
 * The first steps with a new key, from the recipe of the first operation that the key may call. The recipe never
 * contains the key.
 * @param publicUrl URL of the API, without a slash at the end
 * @param allowed names of the operations that the key may call; null for all
 * @returns null when there are no recipes for them
 */
export function firstRecipe(
  builder: KeyBuilderId,
  publicUrl: string,
  allowed: readonly string[] | null = null,
): FirstRecipe | null {
  const operation = RECIPE_OPERATIONS.find(({ name }) => allowed === null || allowed.includes(name));
  if (operation === undefined) return null;
  const { recipesOf } = keyBuilderOf(builder);
  const parts = expandRequest({ operation, publicUrl, key: KEY_PLACEHOLDER, fields: {} });
  return {
    steps: RECIPE_WRITERS[recipesOf].begin(parts).slice(0, STEPS_MAX),
    url: `${publicUrl}/docs/${operation.name}?tool=${recipesOf}`,
  };
}
