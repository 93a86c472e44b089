import {
  linesFor,
  TOKEN_PLACEHOLDER,
  WEBHOOK_PLACEHOLDER,
  type FormField,
  type Pair,
  type Recipe,
  type RecipeParts,
  type Uses,
} from './recipe.ts';
import type { Replies, Show } from './seen-in-discord.ts';

// What to type into the fields of visual builders: a line each, "field: value", in the tool's own words. Lines of a
// list (parameters, headers) hold "name = value". An empty line separates the request from what comes after it.

/** Lines below the request, by use: they act on the answer. */
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

const SECRETS = { Token: TOKEN_PLACEHOLDER, Webhook: WEBHOOK_PLACEHOLDER } as const;

/** @param own what the tool has for the secrets */
export function headersOf(
  key: string,
  { secret }: Pick<RecipeParts, 'secret'>,
  own: Readonly<Partial<Record<keyof typeof SECRETS, string>>> = {},
): Pair[] {
  const authorization: Pair = ['Authorization', key];
  return secret === null ? [authorization] : [authorization, [secret, own[secret] ?? SECRETS[secret]]];
}

/** The lines that reply when it has worked; none where the chunks are all that is said. */
export function replyLines(
  parts: RecipeParts,
  replies: Replies,
  show: Show,
  write: (text: string) => string,
): string[] {
  if (parts.use === 'send_chunks') return [];
  return linesFor(replies, parts)(show).split('\n').map(write);
}
