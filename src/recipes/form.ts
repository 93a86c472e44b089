import { TOKEN_PLACEHOLDER, type Pair, type ShownKey, type Uses } from './recipe.ts';

// What to type into the fields of visual builders: a line each, "field: value", in the tool's own words. Lines of a
// list (parameters, headers) hold "name = value". An empty line parts the request from what comes after it.

/** What to do with the answer. */
export type FormLines = Uses<readonly string[]>;

/** Keys of the answer, as the tool writes their values. */
export function showKeys(keys: readonly ShownKey[], write: (key: string) => string): string {
  return keys.map(({ key }) => write(key)).join(', ');
}

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
