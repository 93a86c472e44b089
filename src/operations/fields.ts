import * as z from 'zod';

import { isStreamedValue, type StreamedValue } from '../kernel/streamed-value.ts';
import type { ProblemTextKey } from '../kernel/problem.ts';
import { isSnowflake } from '../kernel/snowflake.ts';
import { problemMessage } from './input-problem.ts';

/**
 * A builder sent the name of a variable instead of its value: `{user_id}`, `{{steps.x}}`, `${x}`, `$guildID`,
 * `$roleID[x]`, `%user%`, `[user_id]`, `<%= x %>`.
 */
const PLACEHOLDER =
  /^\s*(?:[@$%]?\{.*\}|\$[a-z0-9]\w*(?:\[.*\])?|%[a-z]\w*%|\[[a-z][\w ]*\]|<[a-z][\w ]*>|<%.*%>)\s*$/is;
/** The same inside a URL. A real URL contains neither braces nor a dollar sign that leads to a bracket. */
const HELD_PLACEHOLDER = /\{[^{}]{1,100}\}|\$[a-z]\w{0,50}\[/i;
/** The same where people write freely. There, `$help` is a command, and JSON may be the text. */
const TEXT_PLACEHOLDER =
  /^\s*(?:[@$%]?\{\{[^{}]+\}\}|[@$%]?\{ ?[a-z_][\w.-]* ?\}|\$[a-z]\w*\[[^\]]*\]|%[a-z]\w*%|<%[^%]*%>)\s*$/i;
/**
 * Bare words that are not commands, recognised by the capitals that builders use: `$raid` is a command, `$guildID` is
 * not.
 */
const TEXT_VARIABLE = /^\s*\$(?:message|noMentionMessage|[a-z]+ID)\s*$/;
/** UTF-16 code units. Longer values are texts. */
const PLACEHOLDER_LENGTH_MAX = 200;

export function isPlaceholder(value: string): boolean {
  return value.length <= PLACEHOLDER_LENGTH_MAX && PLACEHOLDER.test(value);
}

export function holdsPlaceholder(value: string): boolean {
  return isPlaceholder(value) || HELD_PLACEHOLDER.test(value);
}

/** How JavaScript and Python print a variable without a value, also as part of a mention. */
const NO_VALUE = /^\s*(?:<(?:@[!&]?|#))?(?:[Uu]ndefined|null|NULL|NaN|nan|None)>?\s*$/;
const OBJECT = '[object Object]';

/** The same where an id is expected, so that words are never valid. */
function isIdPlaceholder(value: string): boolean {
  if (value.length > PLACEHOLDER_LENGTH_MAX) return false;
  return PLACEHOLDER.test(value) || NO_VALUE.test(value) || value.includes(OBJECT);
}

/** Texts that a program sends by mistake, and the problem with each. */
const MISTAKEN_TEXTS: ReadonlyMap<string, ProblemTextKey> = new Map([
  [OBJECT, 'unresolved_placeholder/object'],
  ['undefined', 'unresolved_placeholder/undefined'],
]);

/** True when the whole text is a placeholder. */
export function isTextPlaceholder(value: string): boolean {
  if (value.length > PLACEHOLDER_LENGTH_MAX) return false;
  return TEXT_PLACEHOLDER.test(value) || TEXT_VARIABLE.test(value);
}

/** Returns the problem with a text that a program sent by mistake, or null. */
export function mistakenText(value: string): ProblemTextKey | null {
  const placeholder = isTextPlaceholder(value) ? 'unresolved_placeholder/field' : null;
  return MISTAKEN_TEXTS.get(value.trim()) ?? placeholder;
}

/**
 * Refuses a placeholder of a bot builder.
 * @param otherwise the problem when the value is not a string
 */
export function stringWithoutPlaceholder(otherwise: ProblemTextKey, isRefused = isPlaceholder) {
  return z.string(problemMessage(otherwise)).superRefine((value, context) => {
    if (!isRefused(value)) return;
    context.addIssue({
      code: 'custom',
      message: problemMessage('unresolved_placeholder/field'),
      continue: false,
    });
  });
}

/**
 * A text that people write freely. Refused only if all of it is a placeholder, `undefined` or `[object Object]`.
 * @param otherwise the problem when the value is not a string
 */
export function freeText(otherwise: ProblemTextKey) {
  return z.string(problemMessage(otherwise)).superRefine((value, context) => {
    const key = mistakenText(value);
    if (key !== null) context.addIssue({ code: 'custom', message: problemMessage(key), continue: false });
  });
}

/** Without a kind, only a bare id is accepted. */
const MENTIONS = { role: /^<@&(\d+)>$/, user: /^<@!?(\d+)>$/, channel: /^<#(\d+)>$/ };

type IdKind = keyof typeof MENTIONS;

const ID_PATTERN = String.raw`^[1-9]\d{16,19}$`;
const EXAMPLE_ID = '123456789012345678';

export function idSchema(kind?: IdKind) {
  const pattern = kind === undefined ? ID_PATTERN : `${ID_PATTERN}|${MENTIONS[kind].source}`;
  return { type: 'string', pattern } as const;
}

/**
 * A Discord id: a string of 17 to 20 digits below 2^64, or a mention with it. A JSON number is refused, because it has
 * lost digits.
 * @param otherwise the problem for any other text
 */
export function snowflake(
  kind?: IdKind,
  otherwise: ProblemTextKey = kind === 'role' ? 'invalid_field/id_role' : 'invalid_field/id',
) {
  return stringWithoutPlaceholder('invalid_field/id_number', isIdPlaceholder)
    .superRefine((value, context) => {
      if (kind !== 'role' || !/^\s*@?everyone\s*$/i.test(value)) return;
      context.addIssue({
        code: 'custom',
        message: problemMessage('invalid_field/id_everyone'),
        continue: false,
      });
    })
    .superRefine((value, context) => {
      if (isEscaped(value))
        context.addIssue({ code: 'custom', message: problemMessage('invalid_field/id_escaped') });
    })
    .transform((value) => {
      const id = value.trim();
      return (kind === undefined ? undefined : MENTIONS[kind].exec(id)?.[1]) ?? id;
    })
    .refine(isSnowflake, problemMessage(otherwise))
    .meta(idSchema(kind));
}

/** The templates of Node-RED escape it. */
function isEscaped(mention: string): boolean {
  return mention.includes('&lt;');
}

/** The fields that accept only ids. */
export function listIdFields(shape: z.core.$ZodLooseShape): string[] {
  return Object.entries(shape)
    .filter(([, field]) => z.safeParse(field, EXAMPLE_ID).success && !z.safeParse(field, 'word').success)
    .map(([name]) => name);
}

/**
 * Up to `max` ids, or mentions where there is a kind: a list, or one text that separates them by commas or white space.
 * Repeated ids count once.
 * @param otherwise the problem when one is no id
 */
export function idList(kind: IdKind | undefined, max: number, otherwise?: ProblemTextKey) {
  return z
    .preprocess(
      (value) => {
        const texts: unknown[] = Array.isArray(value) ? value : [value];
        const ids = texts.flatMap((text) =>
          typeof text === 'string' && !isIdPlaceholder(text) && !isEscaped(text)
            ? text.split(/[\s,;]+/).filter(Boolean)
            : [text],
        );
        // Refuse a text that only has separators. A caller whose variables are empty did not mean an empty list.
        return ids.length === 0 && texts.some((text) => text !== '') ? texts : ids;
      },
      z.array(snowflake(kind, otherwise)),
    )
    .transform((ids) => [...new Set(ids)])
    .refine((ids) => ids.length <= max, problemMessage('invalid_field/ids', { max }))
    .meta({ type: 'array', items: idSchema(kind) });
}

const VISIBLE = /[^\s\u0085\u2800\p{Default_Ignorable_Code_Point}]/u;

/** Lone surrogates and control characters count as visible. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

/** Reads `true false 1 0 yes no on off` in any case, as JSON or as text. Returns undefined for anything else. */
export function parseBooleanish(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1) return true;
  if (value === 0) return false;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : undefined;
}

export function booleanish(defaultValue: boolean) {
  return z
    .preprocess(
      (value) => parseBooleanish(value) ?? value,
      z.boolean(problemMessage('invalid_field/one_of', { words: 'true, false, 1, 0, yes, no, on, off' })),
    )
    .default(defaultValue)
    .meta({ type: 'boolean' });
}

/**
 * One of a few words, in any case and with white space around it.
 * @param otherwise the problem for any other word
 */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  description: string,
  otherwise: ProblemTextKey = 'invalid_field/one_of',
) {
  const message = problemMessage(otherwise, { words: words.join(', ') });
  // Not `preprocess`, after which all documents call a required field optional.
  return z
    .string(message)
    .trim()
    .toLowerCase()
    .pipe(z.enum(words, message))
    .meta({ type: 'string', enum: [...words], description });
}

/** A whole number, also as text (query strings and builders send text). */
export function wholeNumber(min: number, max: number) {
  const message = problemMessage('invalid_field/whole_number', { min, max });
  return z
    .preprocess(
      (value) => (typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value),
      z.number(message).int(message).min(min, message).max(max, message),
    )
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** A streamed value. The documents describe it with `schema`. */
export function streamedValue(schema: z.ZodType) {
  return z.custom<StreamedValue>(isStreamedValue).meta(describe(schema));
}

/**
 * A list that the operation made itself and that may have thousands of entries, so the entries are described but not
 * checked.
 */
export function ownList<Entry extends z.ZodType>(entry: Entry) {
  return z.custom<z.output<Entry>[]>((value) => Array.isArray(value)).meta(describe(z.array(entry)));
}

function describe(schema: z.ZodType) {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    override: ({ jsonSchema: each }) => dropDefaults(each),
  });
  return jsonSchema;
}

/** Drops keywords that zod writes for every object and every integer, because they do not help readers. */
export function dropDefaults(schema: Record<string, unknown>): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}
