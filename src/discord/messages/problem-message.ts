import { Problem, type Values } from '../../kernel/problem.ts';
import { wordsFor } from '../locales/words.ts';
import { ACCENT, container, text } from './components.ts';
import { clip } from './markdown.ts';
import type { PanelMessage } from './reply.ts';

const MEBIBYTE = 1_048_576;
/** Some problems quote what was typed, which may not fit in a message. */
const SENTENCE_LENGTH_MAX = 800;

/** The problem when an answer is larger than the files that Discord takes here. */
export function answerTooLarge(code: 'text_too_long' | 'image_too_large', bytesMax: number): Problem {
  return new Problem(`${code}/answer`, { values: { mib: toMebibytes(bytesMax) } });
}

/** Rounded down, so that it is never more than the limit, and never 0. */
function toMebibytes(bytes: number): number {
  const places = bytes < MEBIBYTE ? 1_000 : 1;
  return Math.max(0.001, Math.floor((bytes / MEBIBYTE) * places) / places);
}

/**
 * A problem as a user sees it: what is wrong, what to do about it, and how long to wait.
 * @param reference the interaction's id, shown with faults of ours so that a report can be found in the log
 * @param locale of the user
 */
export function problemMessage(problem: Problem, reference: string, locale: string): PanelMessage {
  const words = wordsFor(locale);
  const { error, hint } = words.problem(problem.key, shown(problem.values));
  const lines = [
    `**${clip(error, SENTENCE_LENGTH_MAX)}**`,
    ...(hint === null ? [] : [clip(hint, SENTENCE_LENGTH_MAX)]),
    ...(problem.retryAfterSeconds === null ? [] : [words.say('wait', { n: problem.retryAfterSeconds })]),
    ...(problem.code === 'internal' ? [words.say('reference', { id: reference })] : []),
  ];
  return { components: [container(ACCENT.bad, text(lines.join('\n')))] };
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
