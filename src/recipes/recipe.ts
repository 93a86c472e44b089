import { exampleOf } from './operation-examples.ts';

/** The operations that have recipes. */
export const RECIPE_OPERATIONS = {
  'parse-args': { mainField: 'text', method: 'POST' },
  'permission-encoder': { mainField: 'permissions', method: 'POST' },
  'text-splitter': { mainField: 'text', method: 'POST' },
  'image-to-base64': { mainField: 'url', method: 'POST' },
  'role-members': { mainField: 'role_id', method: 'GET' },
} as const satisfies Record<string, { mainField: string; method: 'GET' | 'POST' }>;

export type RecipeOperation = keyof typeof RECIPE_OPERATIONS;

type MainField = (typeof RECIPE_OPERATIONS)[RecipeOperation]['mainField'];

export function isRecipeOperation(name: string): name is RecipeOperation {
  return Object.hasOwn(RECIPE_OPERATIONS, name);
}

export interface RecipeOrder {
  readonly operation: RecipeOperation;
  /** Address of the API, without a slash at the end. */
  readonly publicUrl: string;
  readonly key: string;
  /** Fields of the operation as text. Where the main one is left out, the tool's own variable stands for it. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A request in the words of one tool, and what to do with its answer, ready to be pasted. */
export interface Recipe {
  readonly code: string;
  /** For the colours of a code block; empty where there are none. */
  readonly language: string;
  /** What to do with it, in one or two sentences of Markdown. */
  readonly note: string;
}

/** A tool in which recipes are written. */
export interface RecipeBook {
  readonly label: string;
  write(order: RecipeOrder): Recipe;
}

export type Pair = readonly [name: string, value: string];

/** An order, taken apart. */
export interface RecipeParts {
  readonly operation: RecipeOperation;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly key: string;
  readonly mainField: MainField;
  /** null: the tool's own variable. */
  readonly main: string | null;
  /** All other fields. */
  readonly options: readonly Pair[];
  /** Another server than that of the key can only be read with the bot's own token. */
  readonly needsToken: boolean;
}

export function takeApart({ operation, publicUrl, key, fields }: RecipeOrder): RecipeParts {
  const { mainField, method } = RECIPE_OPERATIONS[operation];
  return {
    operation,
    method,
    url: `${publicUrl}/api/${operation === 'permission-encoder' ? 'chat/' : ''}${operation}`,
    key,
    mainField,
    main: fields[mainField] ?? null,
    options: Object.entries(fields).filter(([name]) => name !== mainField),
    needsToken: operation === 'role-members' && fields['guild_id'] !== undefined,
  };
}

export const TOKEN_PLACEHOLDER = 'YOUR_BOT_TOKEN';

/** @param pairs are encoded; `raw` stands as it is, for what a tool puts in */
export function withQuery(url: string, pairs: readonly Pair[], raw = ''): string {
  const query = [...pairs.map(encodePair), ...(raw === '' ? [] : [raw])].join('&');
  return query === '' ? url : `${url}?${query}`;
}

/** Percent-encoded, in which no bracket, quote or semicolon of any tool's language is left. */
export function encodePair([name, value]: Pair): string {
  return `${name}=${encodeURIComponent(value).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/** The options with one more, unless it is among them. */
export function withOption(options: readonly Pair[], name: string, value: string): readonly Pair[] {
  return options.some(([given]) => given === name) ? options : [...options, [name, value]];
}

/** The main field's value, or that of the example, for tools without variables. */
export function mainOrExample({ operation, main, mainField }: RecipeParts): string {
  if (main !== null) return main;
  const value = exampleOf({ name: operation }).input[mainField];
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** Fields as code would send them: numbers, booleans and lists as such, ids as strings. */
export function toJsonFields(pairs: readonly Pair[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(([name, value]) => [name, toJsonValue(name, value)]));
}

function toJsonValue(name: string, value: string): unknown {
  if (name === 'permissions') return value.split(/\s*[,;|\n]\s*/).filter((each) => each !== '');
  if (value === 'true') return true;
  if (value === 'false') return false;
  return /^\d{1,9}$/.test(value) && name !== 'text' ? Number(value) : value;
}
