import * as z from 'zod';

import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import { FieldNames } from '../../operations/field-names.ts';
import { booleanish } from '../../operations/fields.ts';
import { problemFromIssues, problemMessage } from '../../operations/input-problem.ts';
import type { Fields } from '../locals.ts';

/** UTF-16 code units. */
const SEPARATOR_LENGTH_MAX = 100;

/** Options that change how an answer is written, but not what it says. */
const FIELDS = z.object({
  flat: booleanish(false),
  always_200: booleanish(false),
  /** Written between the entries of `…_text` in a flat answer; null for the default. */
  separator: z
    .string(problemMessage('invalid_field/text'))
    .max(SEPARATOR_LENGTH_MAX, problemMessage('invalid_field/characters_max', { max: SEPARATOR_LENGTH_MAX }))
    .nullable()
    .default(null),
});
export const ANSWER_OPTION_NAMES = Object.keys(FIELDS.shape);
/** Fields accepted by endpoints that are not operations. */
export const ANSWER_OPTIONS_ALONE = new FieldNames({ fields: [], options: ANSWER_OPTION_NAMES });

export type AnswerOptions = z.output<typeof FIELDS>;

type Defaults = Pick<VerifiedKey, 'flat' | 'always200'>;

/**
 * @param given fields by their documented names, those of an operation too
 * @param defaults those that the caller's key remembers
 * @throws Problem `invalid_field`
 */
export function readAnswerOptions(given: Fields, defaults: Defaults): AnswerOptions {
  const { flat, always200 } = defaults;
  if (!ANSWER_OPTION_NAMES.some((name) => name in given)) {
    return { flat, always_200: always200, separator: null };
  }
  const options = FIELDS.safeParse({ flat, always_200: always200, ...given });
  if (!options.success) throw problemFromIssues(options.error.issues, given);
  return options.data;
}

/**
 * The same for an answer that is already a problem. An option that cannot be read counts as absent, because it may be
 * the cause of the problem.
 */
export function guessAnswerOptions(body: Fields, query: Fields, defaults: Defaults): AnswerOptions {
  const given = ANSWER_OPTIONS_ALONE.read(body, query);
  const unreadable = new Set(FIELDS.safeParse(given).error?.issues.map(({ path: [name] }) => name));
  const readable = Object.entries(given).filter(([name]) => !unreadable.has(name));
  return readAnswerOptions(Object.fromEntries(readable), defaults);
}
