import {
  TOKEN_PLACEHOLDER,
  type FormField,
  type Pair,
  type Recipe,
  type ShownKey,
  type Uses,
} from './recipe.ts';

// What to type into the fields of visual builders: a line each, "field: value", in the tool's own words. Lines of a
// list (parameters, headers) hold "name = value". An empty line separates the request from what comes after it.

/** What to do with the answer. */
export type FormLines = Uses<readonly string[]>;

/** Keys of the answer, as the tool writes their values. */
export function showKeys(keys: readonly ShownKey[], write: (key: string) => string): string {
  return keys.map(({ key }) => write(key)).join(', ');
}

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

export function headersOf(key: string, needsToken: boolean): Pair[] {
  const authorization: Pair = ['Authorization', key];
  return needsToken ? [authorization, ['Token', TOKEN_PLACEHOLDER]] : [authorization];
}
