import type { Problem } from '../../problem.ts';
import { ACCENT, container, text } from './components.ts';
import { clip } from './markdown.ts';
import type { PanelMessage } from './message.ts';
import { texts } from './texts.ts';

/** Some problems name what was typed, which may be more than a message holds. */
const SENTENCE_LENGTH_MAX = 800;

/**
 * A problem as a user sees it: what is wrong, what can be done, how long to wait.
 * @param reference the interaction's id, shown with faults of ours so that a report can be found in the log
 */
export function problemMessage(problem: Problem, reference: string): PanelMessage {
  const hint = discordHint(problem);
  const lines = [
    `**${clip(problem.message, SENTENCE_LENGTH_MAX)}**`,
    ...(hint === null ? [] : [clip(hint, SENTENCE_LENGTH_MAX)]),
    ...(problem.retryAfterSeconds === null ? [] : [texts.wait(problem.retryAfterSeconds)]),
    ...(problem.code === 'internal' ? [texts.reference(reference)] : []),
  ];
  return { components: [container(ACCENT.bad, text(lines.join('\n')))] };
}

/** Advice about headers is for those who call over HTTP. */
function discordHint({ code, hint }: Problem): string | null {
  const own = texts.problemHints[code];
  if (own !== undefined) return own;
  const sentences = (hint ?? '').split(/(?<=\.) /).filter((sentence) => !/ header\b/.test(sentence));
  return sentences.join(' ') || null;
}
