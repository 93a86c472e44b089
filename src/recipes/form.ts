import { TOKEN_PLACEHOLDER, withOption, type Pair, type RecipeOperation } from './recipe.ts';

// What to type into the fields of visual builders: a line each, "field: value", in the tool's own words. Lines of a
// list (parameters, headers) hold "name = value". An empty line parts the request from what comes after it.

/** What to do with the answer, by operation. */
export type FormLines = Readonly<Record<RecipeOperation, readonly string[]>>;

export function writeForm(lines: readonly Pair[], after: readonly string[]): string {
  return [...lines.map(([name, value]) => `${name}: ${value}`), '', ...after].join('\n');
}

/** Entries of a list that the tool calls `name`. */
export function listOf(name: string, pairs: readonly Pair[]): Pair[] {
  return pairs.map(([key, value]) => [name, `${key} = ${value}`]);
}

export function headersOf(key: string, needsToken: boolean): Pair[] {
  const authorization: Pair = ['Authorization', key];
  return needsToken ? [authorization, ['Token', TOKEN_PLACEHOLDER]] : [authorization];
}

/** Images are wanted as data URIs there: that is what Discord takes. */
export function asDataUri(operation: RecipeOperation, options: readonly Pair[]): readonly Pair[] {
  return operation === 'image-to-base64' ? withOption(options, 'format', 'data_uri') : options;
}
