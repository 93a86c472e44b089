import type { SecretHeader } from '../operations/operation.ts';
import type { RecipeFacts, RecipeUse } from './recipe-facts.ts';
import type { RecipeOperation } from './recipe-operations.ts';
import { PERMISSION_LABELS, SAY } from './sentences.ts';
import { act, fill, type Step, type StepKey } from './steps.ts';

export interface RecipeOrder {
  readonly operation: RecipeOperation;
  /** Address of the API, without a slash at the end. */
  readonly publicUrl: string;
  readonly key: string;
  /** Fields of the operation as text. If the main field is missing, the recipe uses the tool's own variable. */
  readonly fields: Readonly<Record<string, string>>;
}

/** One message as Discord shows it. */
export interface SeenMessage {
  readonly from: 'user' | 'bot' | 'webhook';
  readonly text: string;
  /** Address of a picture below the text; null for none. */
  readonly image: string | null;
}

/** A request in the words of one tool, and what to do with its answer. */
export interface Recipe {
  /** The text to paste as a whole; for tools with forms, all fields and conditions line by line. */
  readonly code: string;
  /** Chooses the colours of the code block; empty for none. */
  readonly language: string;
  /** What else is good to know about it, in one or two sentences of Markdown. */
  readonly note: string;
  /** Everything that the reader has to do, in order. */
  readonly steps: readonly Step[];
  /** Messages in Discord when it works, in order. */
  readonly seen: readonly SeenMessage[];
}

/** The note as documents show it, with what the tool's recipes were checked against. */
export function fullNote({ checked }: RecipeBook, { note }: Recipe): string {
  return `${note} ${checked}`;
}

/** A tool in which recipes are written. */
export interface RecipeBook {
  /** Says what its recipes were checked against, or that they were not: one sentence of Markdown. */
  readonly checked: string;
  /** Its recipes send what is left of a long text. Default false: the tool cannot repeat a step. */
  readonly sendsRest?: boolean;
  write(order: RecipeOrder): Recipe;
}

export type FilledBy = RecipeFacts['filledBy'];

export type Pair = readonly [name: string, value: string];

/** A recipe order, taken apart. */
export interface RecipeParts {
  readonly operation: RecipeOperation;
  readonly method: 'GET' | 'POST';
  /** For tools that send fields in the address: GET, if the operation takes it. */
  readonly addressMethod: 'GET' | 'POST';
  readonly url: string;
  readonly key: string;
  readonly mainField: string;
  readonly filledBy: FilledBy;
  readonly use: RecipeFacts['use'];
  /** null for the tool's own variable. */
  readonly main: string | null;
  /** All other fields, including those that the definition sends along. */
  readonly options: readonly Pair[];
  /** The same, plus what a tool adds if its variable leaves the command out. */
  readonly argumentOptions: readonly Pair[];
  /**
   * The secret to send along: posting needs a webhook, and only the bot's own token can read a server other than the
   * key's.
   */
  readonly secret: SecretHeader | null;
}

export function takeApart({ operation, publicUrl, key, fields }: RecipeOrder): RecipeParts {
  const { field, filledBy, use, options, withoutCommand } = operation.recipe;
  const { [field]: main = null, ...others } = fields;
  const own = toPairs({ ...options, ...others });
  return {
    operation,
    method: operation.method,
    addressMethod: operation.readOnly ? 'GET' : 'POST',
    url: publicUrl + operation.path,
    key,
    mainField: field,
    filledBy,
    use,
    main,
    options: own,
    argumentOptions: main === null ? toPairs({ ...withoutCommand, ...Object.fromEntries(own) }) : own,
    secret:
      operation.secretHeader === 'Token' && fields['guild_id'] === undefined ? null : operation.secretHeader,
  };
}

function toPairs(fields: Readonly<Record<string, string | undefined>>): Pair[] {
  return Object.entries(fields).flatMap(([name, value]): Pair[] =>
    value === undefined ? [] : [[name, value]],
  );
}

/** The reply to a message that lacks the command's input; null when the command needs none. */
export function usageOf({ operation, filledBy, main }: RecipeParts): string | null {
  if (main !== null) return null;
  const start = `!${operation.recipe.command}`;
  if (filledBy === 'role') return `Mention a role: ${start} @Role`;
  if (filledBy === 'image') return `Attach a picture to ${start}`;
  if (filledBy === 'line') return SAY.noMember('!');
  return filledBy === 'text' || filledBy === 'long_text' ? `Write something after ${start}` : null;
}

/** The step that gives a slash command the option which fills the main field; none when it needs none. */
export function optionSteps(
  parts: RecipeParts,
  [text, role]: readonly [StepKey, StepKey] = ['common.textOption', 'common.roleOption'],
): Step[] {
  const { filledBy, mainField } = parts;
  if (usageOf(parts) === null) return [];
  return [filledBy === 'role' ? act(role) : act(text, { option: mainField })];
}

/** A note for tools that send the text in the address, where characters are percent-encoded. */
export const ADDRESS_NOTE =
  'The text travels in the address, and common proxies take addresses of up to 16 KB: about 10,000 characters in English, 2,500 in Russian, 1,700 in Japanese.';

/** A note for tools whose node for Discord pings whoever a chunk mentions. */
export const PINGS_NOTE =
  'A chunk pings whoever it mentions, @everyone too. The recipe of [send](send) posts the same text and pings nobody.';

/** Steps that limit who can start a flow, for tools that start it on any text and not on a command. */
export function startSteps({ operation }: RecipeParts): Step[] {
  const { command, permission } = operation.recipe;
  return [
    act('common.onlyCommand', { command }),
    ...(permission === null
      ? []
      : [act('common.onlyChannel', { permission: PERMISSION_LABELS[permission] })]),
  ];
}

/** The permission that the command asks for, as Discord's clients call it; null for none. */
export function permissionOf({ operation }: RecipeParts): string | null {
  const { permission } = operation.recipe;
  return permission === null ? null : PERMISSION_LABELS[permission];
}

/**
 * In a tool without loops, a recipe sends this many chunks. More chunks are an error, so that nothing is lost
 * unnoticed.
 */
const CHUNKS_WITHOUT_LOOP = 5;

/** The options of a tool without loops. */
export function withChunksMax(options: readonly Pair[], { use }: RecipeParts): readonly Pair[] {
  return use === 'send_chunks' ? withOption(options, 'max_chunks', String(CHUNKS_WITHOUT_LOOP)) : options;
}

/** In a tool without loops, a line for each chunk after the first, by its number. */
export function forLaterChunks<Line>(write: (number: number) => Line): Line[] {
  return Array.from({ length: CHUNKS_WITHOUT_LOOP - 1 }, (_, index) => write(index + 2));
}

/** Lines that act on the answer in one tool, by what the bot does with it. */
export interface Uses<Lines> extends Readonly<Record<RecipeUse, Lines>> {
  /** Shows the values of any keys of the answer as they are. */
  show(keys: readonly ShownKey[]): Lines;
}

/** A key of an answer that a tool shows. */
export interface ShownKey {
  readonly key: string;
  readonly isList: boolean;
}

export function linesFor<Lines>(uses: Uses<Lines>, { operation, use }: RecipeParts): Lines {
  if (typeof use === 'string') return uses[use];
  const { answer } = operation.example;
  return uses.show(use.map((key) => ({ key, isList: Array.isArray(answer[key]) })));
}

export const TOKEN_PLACEHOLDER = 'YOUR_BOT_TOKEN';
export const WEBHOOK_PLACEHOLDER = 'YOUR_WEBHOOK';

/** The name of the webhook's address in tools that have secrets or an environment. */
export const WEBHOOK_NAME = 'QUARTERMASTER_WEBHOOK';

/** The name of the key there. */
export const KEY_NAME = 'QUARTERMASTER_KEY';

/** How to make the webhook that the recipe posts through, and what to do with its address. */
export function webhookSteps({ secret }: RecipeParts, ...place: readonly Step[]): Step[] {
  return secret === 'Webhook' ? [act('common.webhook'), ...place] : [];
}

/** The lines for the file that holds a bot's secrets: the key must be nowhere else. */
export function environmentSteps(parts: RecipeParts): Step[] {
  return [
    fill('common.env', [['.env', `${KEY_NAME}=${parts.key}`]]),
    ...webhookSteps(parts, fill('common.envWebhook', [['.env', `${WEBHOOK_NAME}=${WEBHOOK_PLACEHOLDER}`]])),
  ];
}

/** What to know about the answers in a tool: Markdown of a sentence or two each. */
export function answerNotes(
  { recipe }: RecipeOperation,
  { sendsRest = false }: RecipeBook,
): readonly string[] {
  if (recipe.use !== 'post_text') return [];
  return [
    sendsRest
      ? 'One call posts at most 10 messages. This recipe sends the `rest` of a longer text by itself, with up to 10 calls.'
      : 'One call posts at most 10 messages: 20,000 characters are the most that this recipe can send.',
    '`stopped`: `rest` is the text that is left; send it without `dialect`, and with a new `Idempotency-Key`. `retry_after` says in how many seconds; when it is null, sending it again would not help, or could post twice. When `uncertain` is true, look into the channel first: the first message of the rest may be there already.',
    'A failure has posted nothing. After 429, and after 503 `busy`, run it again in `retry_after` seconds.',
    'The header `Idempotency-Key` makes it safe to send the same request again, for 10 minutes: it posts nothing more, and gets the answer of the first one. Another text needs another key.',
  ];
}

/** One command sends a text with no more calls than this. */
export const CALLS_MAX = 10;

/**
 * The options with which the rest of a text goes: it is Discord's Markdown, and follows into the thread that the first
 * messages have made.
 * @param channel how the tool writes the `channel_id` of the answer before
 */
export function restOptions({ options }: RecipeParts, channel: string): Pair[] {
  return options.flatMap(([name, value]): Pair[] => {
    if (name === 'dialect' || name === 'applied_tags') return [];
    return [name === 'thread_name' ? ['thread_id', channel] : [name, value]];
  });
}

/** @param raw added without encoding, because the tool itself fills it in */
export function withQuery(url: string, pairs: readonly Pair[], raw = ''): string {
  const query = [...pairs.map(encodePair), ...(raw === '' ? [] : [raw])].join('&');
  return query === '' ? url : `${url}?${query}`;
}

/** Percent-encoded, so that it contains no bracket, quote or semicolon that a tool's language could read. */
export function encodePair([name, value]: Pair): string {
  return `${name}=${encodeURIComponent(value).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/** The options plus this one, unless it is among them. */
export function withOption(options: readonly Pair[], name: string, value: string): readonly Pair[] {
  return options.some(([given]) => given === name) ? options : [...options, [name, value]];
}

/** The main field's value, or the example's, for tools without variables. */
export function mainOrExample({ operation, main, mainField }: RecipeParts): string {
  if (main !== null) return main;
  return showValue(operation.example.input[mainField]);
}

/** A value of an example as text. */
export function showValue(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
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
