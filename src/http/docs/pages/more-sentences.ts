import { isProblemTextKey, sentenceOf, type ProblemTextKey } from '../../../kernel/problem.ts';
import SENTENCES from '../../../kernel/problems.en.json' with { type: 'json' };
import { allThatWentWrong } from '../../../recipes/what-went-wrong.ts';
import { THIRD_PARTY_ERRORS } from './third-party-errors.ts';
import { html } from './layout.ts';
import { explainedTable, foreignTable, problemTable } from './tables.ts';

/** A shorter sentence would match many unrelated texts. */
const SENTENCE_LENGTH_MIN = 12;

/**
 * Sentences that the page of an operation does not list: our own word for word, those of all recipes, and those of
 * Discord and of builders. The page loads them when the reader pastes one.
 */
export function moreSentences(): string {
  return html`<div data-more>
    <div data-word-for-word>${problemTable(wordForWord(), false)}</div>
    ${explainedTable(allThatWentWrong())} ${foreignTable(THIRD_PARTY_ERRORS)}
  </div>`.html;
}

/** A key of each sentence. The first one with a sentence is the most general. */
function wordForWord(): readonly ProblemTextKey[] {
  const keys = Object.keys(SENTENCES).filter(isProblemTextKey);
  const first = new Map(keys.toReversed().map((key) => [sentenceOf(key).error, key]));
  return [...first].filter(([error]) => error.length >= SENTENCE_LENGTH_MIN).map(([, key]) => key);
}
