import { isProblemKey, sentenceOf, type ProblemKey } from '../../../kernel/problem.ts';
import SENTENCES from '../../../kernel/problems.en.json' with { type: 'json' };
import { allThatWentWrong } from '../../../recipes/what-went-wrong.ts';
import { FOREIGN_ERRORS } from './foreign-errors.ts';
import { html } from './layout.ts';
import { explainedTable, foreignTable, problemTable } from './tables.ts';

/** A shorter one is in many texts that have nothing to do with it. */
const SENTENCE_LENGTH_MIN = 12;

/**
 * What can come back beyond what the page of an operation lists: our own sentences word for word, those of all recipes,
 * and those of Discord and of tools. The page gets it when somebody pastes one.
 */
export function moreSentences(): string {
  return html`<div data-more>
    <div data-word-for-word>${problemTable(wordForWord(), false)}</div>
    ${explainedTable(allThatWentWrong())} ${foreignTable(FOREIGN_ERRORS)}
  </div>`.html;
}

/** A key of each sentence. The first one with a sentence is the most general. */
function wordForWord(): readonly ProblemKey[] {
  const keys = Object.keys(SENTENCES).filter(isProblemKey);
  const first = new Map(keys.toReversed().map((key) => [sentenceOf(key).error, key]));
  return [...first].filter(([error]) => error.length >= SENTENCE_LENGTH_MIN).map(([, key]) => key);
}
