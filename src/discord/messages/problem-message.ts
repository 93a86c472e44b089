import { Problem, type Values } from '../../kernel/problem.ts';
import { translatorFor } from '../locales/translator.ts';
import { ACCENT, container, text } from './components.ts';
import { clip } from './markdown.ts';
import type { ComponentsMessage } from './reply.ts';

const MEBIBYTE = 1_048_576;
/** Some problems quote the user's text, which may not fit in a message. */
const SENTENCE_LENGTH_MAX = 800;

/** The problem when an answer is larger than the files that Discord accepts here. */
export function answerTooLarge(code: 'text_too_long' | 'image_too_large', bytesMax: number): Problem {
  return new Problem(`${code}/answer`, { values: { mib: toMebibytes(bytesMax) } });
}

/** Rounds down, so that it never exceeds the limit, and never to 0. */
function toMebibytes(bytes: number): number {
  const places = bytes < MEBIBYTE ? 1_000 : 1;
  return Math.max(0.001, Math.floor((bytes / MEBIBYTE) * places) / places);
}

/**
 * Shows a problem to a user: what is wrong, what to do about it, and how long to wait.
 * @param reference the interaction's id, shown with internal faults so that a report can be found in the log
 * @param locale of the user
 */
export function problemMessage(problem: Problem, reference: string, locale: string): ComponentsMessage {
  const translator = translatorFor(locale);
  const { error, hint } = translator.problem(problem.key, shown(problem.values));
  const lines = [
    `**${clip(error, SENTENCE_LENGTH_MAX)}**`,
    ...(hint === null ? [] : [clip(hint, SENTENCE_LENGTH_MAX)]),
    ...(problem.retryAfterSeconds === null
      ? []
      : [translator.translate('wait', { n: problem.retryAfterSeconds })]),
    ...(problem.code === 'internal' ? [translator.translate('reference', { id: reference })] : []),
  ];
  return { components: [container(ACCENT.bad, text(lines.join('\n')))] };
}

/** Shortens the values in a sentence, such as names that users chose, so that the sentence fits. */
function shown(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? clip(value, SENTENCE_LENGTH_MAX / 2) : value,
    ]),
  );
}
