import { TOKEN_PLACEHOLDER, type FormField, type Pair, type Recipe, type Uses } from './recipe.ts';

// What to type into the fields of visual builders: a line each, "field: value", in the tool's own words. Lines of a
// list (parameters, headers) hold "name = value". An empty line separates the request from what comes after it.

/** What to do with the answer. */
export type FormLines = Uses<readonly string[]>;

/** The code and the same line by line. */
export function writeForm(
  fields: readonly FormField[],
  after: readonly string[],
): Pick<Recipe, 'code' | 'form'> {
  const lines = fields.map(([label, ...parts]) => `${label}: ${parts.join(' = ')}`);
  return { code: [...lines, '', ...after].join('\n'), form: { fields, after } };
}

/** Entries of a list that the tool calls `label`. */
export function listOf(label: string, pairs: readonly Pair[]): FormField[] {
  return pairs.map(([name, value]) => [label, name, value]);
}

/** @param token what the tool has for the token of the bot */
export function headersOf(key: string, needsToken: boolean, token = TOKEN_PLACEHOLDER): Pair[] {
  const authorization: Pair = ['Authorization', key];
  return needsToken ? [authorization, ['Token', token]] : [authorization];
}
