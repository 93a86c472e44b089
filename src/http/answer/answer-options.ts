import { parseBooleanish } from '../../operations/fields.ts';
import { Problem } from '../../problem.ts';
import type { Fields } from '../locals.ts';

/** These change how an answer is written, but not what it says. */
export interface AnswerOptions {
  readonly flat: boolean;
  readonly always200: boolean;
  /** Between the entries of `…_text` in a flat answer; null for the default. */
  readonly separator: string | null;
}

type Defaults = Pick<AnswerOptions, 'flat' | 'always200'>;

/**
 * The options are looked for in the body, then in the query.
 * @param defaults those that the caller's key remembers
 * @throws Problem `invalid_field`
 */
export function readAnswerOptions(body: Fields, query: Fields, defaults: Defaults): AnswerOptions {
  return {
    flat: readFlag(find(body, query, 'flat'), 'flat') ?? defaults.flat,
    always200: readFlag(find(body, query, 'always_200'), 'always_200') ?? defaults.always200,
    separator: readSeparator(find(body, query, 'separator')),
  };
}

/** The same for an answer that is a problem already: what cannot be read counts as absent. */
export function guessAnswerOptions(body: Fields, query: Fields, defaults: Defaults): AnswerOptions {
  const separator = find(body, query, 'separator');
  return {
    flat: parseBooleanish(find(body, query, 'flat')) ?? defaults.flat,
    always200: parseBooleanish(find(body, query, 'always_200')) ?? defaults.always200,
    separator: typeof separator === 'string' ? separator : null,
  };
}

/** undefined when it is in neither. */
function find(body: Fields, query: Fields, name: string): unknown {
  const first = body[name];
  if (isGiven(first)) return first;
  const second = query[name];
  return isGiven(second) ? second : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function readFlag(given: unknown, name: string): boolean | undefined {
  if (given === undefined) return undefined;
  const flag = parseBooleanish(given);
  if (flag === undefined) {
    throw new Problem('invalid_field', {
      field: name,
      error: `The field ${name} must be one of true, false, 1, 0, yes, no, on, off, given once.`,
    });
  }
  return flag;
}

function readSeparator(given: unknown): string | null {
  if (given === undefined) return null;
  if (typeof given !== 'string' || given.length > 100) {
    throw new Problem('invalid_field', {
      field: 'separator',
      error: 'The field separator must be a text of at most 100 characters, given once.',
    });
  }
  return given;
}
