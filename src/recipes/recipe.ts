import type { SecretHeader } from '../operations/operation.ts';
import { permissionCheck } from '../operations/permission-check/operation.ts';
import type { RecipeDefinition, RecipeUse } from './recipe-definition.ts';
import type { RecipeOperation } from './recipe-operations.ts';
import { recipePermissionLabel, SENTENCES } from './sentences.ts';
import type { Step } from './steps.ts';

export interface RecipeRequest {
  readonly operation: RecipeOperation;
  /** URL of the API, without a slash at the end. */
  readonly publicUrl: string;
  readonly key: string;
  /** Fields of the operation as text. If the main field is missing, the recipe uses the builder's own variable. */
  readonly fields: Readonly<Record<string, string>>;
}

/** One message as Discord shows it. */
export interface SeenMessage {
  readonly from: 'user' | 'bot' | 'webhook';
  readonly text: string;
  /** URL of a picture below the text; null for none. */
  readonly image: string | null;
}

/** A request in the words of one builder, and what to do with its answer. */
export interface Recipe {
  /** The text to paste as a whole; for builders with forms, all fields and conditions line by line. */
  readonly code: string;
  /** Chooses the colours of the code block; empty for none. */
  readonly language: string;
  /** A further note, in one or two sentences of Markdown. */
  readonly note: string;
  /** Everything that the reader has to do, in order. */
  readonly steps: readonly Step[];
  /** Messages in Discord when it works, in order. */
  readonly seen: readonly SeenMessage[];
}

export type FilledBy = RecipeDefinition['filledBy'];

/** In builders that pass on the whole message, the value begins with the command's word, and the recipe removes it. */
export function hasWord(filledBy: FilledBy): boolean {
  return filledBy === 'text' || filledBy === 'long_text' || filledBy === 'role';
}

/** True if the text of a message goes into the main field. */
export function takesText(filledBy: FilledBy): boolean {
  return filledBy === 'line' || hasWord(filledBy);
}

export type Pair = readonly [name: string, value: string];

/** A recipe request with everything that writers derive from it. */
export interface RecipeParts {
  readonly operation: RecipeOperation;
  readonly method: 'GET' | 'POST';
  /** For builders that send fields in the URL: GET, if the operation takes it. */
  readonly queryMethod: 'GET' | 'POST';
  readonly url: string;
  /** The URL of permission-check, which says whether the bot may do something. */
  readonly permissionUrl: string;
  readonly key: string;
  readonly mainField: string;
  readonly filledBy: FilledBy;
  readonly use: RecipeDefinition['use'];
  /** null for the builder's own variable. */
  readonly main: string | null;
  /** All other fields, including those that the definition adds. */
  readonly options: readonly Pair[];
  /** The same, and those that are added when a builder's variable leaves the command out. */
  readonly argumentOptions: readonly Pair[];
  /**
   * The secret to send along: posting needs a webhook, and only the bot's own token can read a server other than the
   * key's.
   */
  readonly secret: SecretHeader | null;
}

export function expandRequest({ operation, publicUrl, key, fields }: RecipeRequest): RecipeParts {
  const { field, filledBy, use, options, withoutCommand } = operation.recipe;
  const { [field]: main = null, ...others } = fields;
  const own = toPairs({ ...options, ...others });
  return {
    operation,
    method: operation.method,
    queryMethod: operation.readOnly ? 'GET' : 'POST',
    url: publicUrl + operation.path,
    permissionUrl: publicUrl + permissionCheck.path,
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
  if (filledBy === 'line') return SENTENCES.noMember('!');
  return filledBy === 'text' || filledBy === 'long_text' ? `Write something after ${start}` : null;
}

/** The permission that the command requires, as Discord's clients call it; null for none. */
export function permissionOf({ operation }: RecipeParts): string | null {
  const { permission } = operation.recipe;
  return permission === null ? null : recipePermissionLabel(permission);
}

/** Lines that act on the answer in one builder, by what the bot does with it. */
export interface ByUse<Lines> extends Readonly<Record<RecipeUse, Lines>> {
  /** Shows the values of any keys of the answer as they are. */
  showKeys(keys: readonly ShownKey[]): Lines;
}

/** A key of an answer that a builder shows. */
export interface ShownKey {
  readonly key: string;
  readonly isList: boolean;
}

/** For tables of a builder that need lines for few uses. */
export const NOTHING: ByUse<readonly never[]> = {
  time_out: [],
  make_role: [],
  send_chunks: [],
  make_emoji: [],
  list_members: [],
  list_roles: [],
  post_text: [],
  showKeys: () => [],
};

export function chooseByUse<Lines>(uses: ByUse<Lines>, { operation, use }: RecipeParts): Lines {
  if (typeof use === 'string') return uses[use];
  const { answer } = operation.example;
  return uses.showKeys(use.map((key) => ({ key, isList: Array.isArray(answer[key]) })));
}
