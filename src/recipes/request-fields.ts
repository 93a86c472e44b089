import type { Pair, RecipeParts } from './recipe.ts';

// The fields of a request, as a builder writes them.

/**
 * How many chunks a recipe sends in a builder without loops. More chunks are an error, so that no text is lost.
 */
const CHUNKS_WITHOUT_LOOP = 5;

/** The options of a builder without loops. */
export function withChunksMax(options: readonly Pair[], { use }: RecipeParts): readonly Pair[] {
  return use === 'send_chunks' ? withOption(options, 'max_chunks', String(CHUNKS_WITHOUT_LOOP)) : options;
}

/** Writes a line for each chunk after the first, by its number, in a builder without loops. */
export function mapLaterChunks<Line>(write: (number: number) => Line): Line[] {
  return Array.from({ length: CHUNKS_WITHOUT_LOOP - 1 }, (_, index) => write(index + 2));
}

/** How many roles a recipe shows in a builder that cannot go through a list. The oldest roles are first. */
const ROLES_WITHOUT_LIST = 5;

/** Writes a line for each of the first roles, by the flat keys of its id and its count. */
export function mapFirstRoles<Line>(write: (id: string, count: string) => Line): Line[] {
  return Array.from({ length: ROLES_WITHOUT_LIST }, (_, index) =>
    write(`roles_${index + 1}_role_id`, `roles_${index + 1}_count`),
  );
}

/** Placeholders for the secrets of the reader. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';
export const TOKEN_PLACEHOLDER = 'YOUR_BOT_TOKEN';
export const WEBHOOK_PLACEHOLDER = 'YOUR_WEBHOOK';
export const SERVER_PLACEHOLDER = 'YOUR_SERVER_ID';

/** Discord's URL of a member, for builders that time somebody out with a request of their own. */
export const memberUrl = (userId: string) =>
  `https://discord.com/api/v10/guilds/${SERVER_PLACEHOLDER}/members/${userId}`;

/** Discord's URL of a server's emojis, for builders that add one with a request of their own. */
export const EMOJIS_URL = `https://discord.com/api/v10/guilds/${SERVER_PLACEHOLDER}/emojis`;

/** The options of a builder that times somebody out like that: `until_iso` of the answer is what Discord takes. */
export function withUntil(options: readonly Pair[], { use }: RecipeParts): readonly Pair[] {
  return use === 'time_out' ? withOption(options, 'timestamps', 'true') : options;
}

/** The name of the webhook's URL in builders that have secrets or an environment. */
export const WEBHOOK_NAME = 'QUARTERMASTER_WEBHOOK';

/** The name of the key there. */
export const KEY_NAME = 'QUARTERMASTER_KEY';

/** One command sends a text with no more calls than this. */
export const CALLS_MAX = 10;

/**
 * The options for the rest of a text. The rest is Discord's Markdown, and goes into the thread that the first messages
 * have made.
 * @param channel how the builder writes the `channel_id` of the answer before
 */
export function restOptions({ options }: RecipeParts, channel: string): Pair[] {
  return options.flatMap(([name, value]): Pair[] => {
    if (name === 'dialect' || name === 'applied_tags') return [];
    return [name === 'thread_name' ? ['thread_id', channel] : [name, value]];
  });
}

/** @param raw added without encoding, because the builder itself fills it in */
export function withQuery(url: string, pairs: readonly Pair[], raw = ''): string {
  const query = [...pairs.map(encodePair), ...(raw === '' ? [] : [raw])].join('&');
  return query === '' ? url : `${url}?${query}`;
}

/** Percent-encoded, so that it contains no bracket, quote or semicolon that a builder's language could read. */
export function encodePair([name, value]: Pair): string {
  return `${name}=${encodeURIComponent(value).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/** The options plus this one, unless it is among them. */
export function withOption(options: readonly Pair[], name: string, value: string): readonly Pair[] {
  return options.some(([given]) => given === name) ? options : [...options, [name, value]];
}

/** The main field's value, or the example's, for builders without variables. */
export function mainOrExample({ operation, main, mainField }: RecipeParts): string {
  if (main !== null) return main;
  return showValue(operation.example.input[mainField]);
}

/** A value of an example as text. Of a role and its count: `id: count`. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(showValue).join(', ');
  return typeof value === 'object' && value !== null ? Object.values(value).join(': ') : String(value);
}

const wordsOf = (list: string) =>
  list
    .split(/[,;|\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Fields as code would send them: numbers, booleans and lists as such, the main field and ids as strings. */
export function toJsonFields(
  { operation, mainField }: RecipeParts,
  pairs: readonly Pair[],
): Record<string, unknown> {
  const example = operation.example.input;
  const toJsonValue = (name: string, value: string) => {
    if (Array.isArray(example[name])) return wordsOf(value);
    if (value === 'true') return true;
    if (value === 'false') return false;
    return /^\d{1,9}$/.test(value) && name !== mainField ? Number(value) : value;
  };
  return Object.fromEntries(pairs.map(([name, value]) => [name, toJsonValue(name, value)]));
}
