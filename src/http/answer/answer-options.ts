import { parseBooleanish } from '../../operations/fields.ts';
import { Problem } from '../../problem.ts';

/** How an answer is written, whatever it says. */
export interface AnswerOptions {
  readonly flat: boolean;
  readonly always200: boolean;
  /** Between the entries of `…_text` in a flat answer; null for the default. */
  readonly separator: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const isAbsent = (value: unknown) => value === undefined || value === null || value === '';

/**
 * @param sources fields in which the options are looked for, the first that has one wins
 * @param defaults what the caller's key remembers
 * @throws Problem `invalid_field`
 */
export function readAnswerOptions(
  sources: readonly Fields[],
  defaults: { readonly flat: boolean; readonly always200: boolean },
): AnswerOptions {
  return {
    flat: readFlag(sources, 'flat') ?? defaults.flat,
    always200: readFlag(sources, 'always_200') ?? defaults.always200,
    separator: readSeparator(sources),
  };
}

/** The same for an answer that is a problem already: what cannot be read counts as absent. */
export function guessAnswerOptions(
  sources: readonly Fields[],
  defaults: { readonly flat: boolean; readonly always200: boolean },
): AnswerOptions {
  const first = (name: string) => sources.map((fields) => fields[name]).find((value) => !isAbsent(value));
  const separator = first('separator');
  return {
    flat: parseBooleanish(first('flat')) ?? defaults.flat,
    always200: parseBooleanish(first('always_200')) ?? defaults.always200,
    separator: typeof separator === 'string' ? separator : null,
  };
}

function readFlag(sources: readonly Fields[], name: string): boolean | undefined {
  const given = sources.map((fields) => fields[name]).find((value) => !isAbsent(value));
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

function readSeparator(sources: readonly Fields[]): string | null {
  const given = sources.map((fields) => fields['separator']).find((value) => !isAbsent(value));
  if (given === undefined) return null;
  if (typeof given !== 'string' || given.length > 100) {
    throw new Problem('invalid_field', {
      field: 'separator',
      error: 'The field separator must be a text of at most 100 characters, given once.',
    });
  }
  return given;
}
