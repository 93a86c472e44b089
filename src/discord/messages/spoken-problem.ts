import { Problem, PROBLEMS, type ProblemCode, type ProblemOptions } from '../../problem.ts';
import { isProblemKey, wordsFor, type ProblemKey, type Values, type Words } from '../locales/words.ts';
import { ACCENT, container, text } from './components.ts';
import { clip } from './markdown.ts';
import type { PanelMessage } from './reply.ts';

const MEBIBYTE = 1_048_576;
/** Some problems name what was typed, which may be more than a message holds. */
const SENTENCE_LENGTH_MAX = 800;

/** A problem of Discord alone: its sentence is found by a key when it is shown, in the language of its user. */
export class SpokenProblem extends Problem {
  readonly key: ProblemKey;
  readonly values: Values;

  private constructor(code: ProblemCode, key: ProblemKey, values: Values, options: ProblemOptions) {
    super(code, { error: wordsFor('en').problem(key, values).error, ...options });
    this.key = key;
    this.values = values;
  }

  /** @param values for the places of its sentences */
  static of(code: ProblemCode, key: ProblemKey, values: Values = {}): SpokenProblem {
    return new SpokenProblem(code, key, values, {});
  }

  /** The same with the internal cause, which goes to the log. */
  because(cause: unknown): SpokenProblem {
    return new SpokenProblem(this.code, this.key, this.values, { cause });
  }
}

/** An answer is larger than the files that Discord takes here. */
export function answerTooLarge(code: ProblemCode, bytesMax: number): SpokenProblem {
  return SpokenProblem.of(code, 'answer_too_large', { mib: toMebibytes(bytesMax) });
}

/** Rounded down, so that it is never more than the limit, and never 0. */
function toMebibytes(bytes: number): number {
  const places = bytes < MEBIBYTE ? 1_000 : 1;
  return Math.max(0.001, Math.floor((bytes / MEBIBYTE) * places) / places);
}

/**
 * A problem as a user sees it: what is wrong, what can be done, how long to wait.
 * @param reference the interaction's id, shown with faults of ours so that a report can be found in the log
 * @param locale of the user
 */
export function problemMessage(problem: Problem, reference: string, locale: string): PanelMessage {
  const words = wordsFor(locale);
  const { error, hint } = sentencesOf(problem, words);
  const lines = [
    `**${clip(error, SENTENCE_LENGTH_MAX)}**`,
    ...(hint === null ? [] : [clip(hint, SENTENCE_LENGTH_MAX)]),
    ...(problem.retryAfterSeconds === null ? [] : [words.say('wait', { n: problem.retryAfterSeconds })]),
    ...(problem.code === 'internal' ? [words.say('reference', { id: reference })] : []),
  ];
  return { components: [container(ACCENT.bad, text(lines.join('\n')))] };
}

interface Sentences {
  readonly error: string;
  readonly hint: string | null;
}

/** The most exact sentence that the language has. */
function sentencesOf(problem: Problem, words: Words): Sentences {
  if (problem instanceof SpokenProblem) return words.problem(problem.key, problem.values);
  const { code, field, detail } = problem;
  if (detail !== null) return words.problem(detail.kind, shown(detail.values ?? {}));
  const exact = `${code}.${field}`;
  if (isProblemKey(exact)) return words.problem(exact, {});
  const general = PROBLEMS[code];
  const isOwn = problem.message !== general.error || problem.hint !== general.hint;
  if (words.language === 'en' && isOwn) return englishOf(problem);
  return words.problem(isProblemKey(code) ? code : 'internal', {});
}

/**
 * The place that failed says more than its code, but only in English. Advice about headers is for HTTP callers, and how
 * long to wait is said once.
 */
function englishOf({ message, hint }: Problem): Sentences {
  const sentences = (hint ?? '').split(/(?<=\.) /).filter((sentence) => !/ header\b|^Wait \d/.test(sentence));
  return { error: message, hint: sentences.join(' ') || null };
}

/** Names come from users, and a long name must leave room for the sentence. */
function shown(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([place, value]) => [
      place,
      typeof value === 'string' ? clip(value, SENTENCE_LENGTH_MAX / 2) : value,
    ]),
  );
}
