import { isAt, isBlank, isWordAt, skipBlanks } from './characters.ts';
import type { LineText } from './line-text.ts';
import { isSentenceOver } from './separator.ts';
import { findLettersEnd, foldWord } from './time-letters.ts';
import type { TimeLanguage } from './time-languages.ts';
import { GUARDS } from './time-words.ts';

const WORD_LETTERS_MAX = 14;
/** The most words of a phrase of prose. */
const WORDS_MAX = 3;
// "left the call" is what somebody did, "left on his ban" what remains of a time.
const AFTER_VERB = new Set(['the', 'a', 'our', 'my', 'this']);

/**
 * Whether what follows a written-out duration makes it a part of a sentence: "30 days of warnings", "13 years old".
 * @param languages those that have the duration's unit
 */
export function isProse(text: LineText, at: number, languages: readonly TimeLanguage[]): boolean {
  if (!isBlank(text.unitAt(at))) return false;
  const words = listWords(text, at);
  const [first, second] = words;
  if (first === undefined) return false;
  if (first === 'left' && second !== undefined && AFTER_VERB.has(second)) return false;
  if (
    first === 'account' &&
    words.length === 1 &&
    isSentenceOver(text, skipBlanks(text, at) + first.length)
  ) {
    return true;
  }
  const phrase = `${words.join(' ')} `;
  return languages.some((language) => {
    const guards = GUARDS.get(language);
    return (
      guards !== undefined &&
      (guards.prose.has(first) || guards.prosePhrases.some((prose) => phrase.startsWith(`${prose} `)))
    );
  });
}

function listWords(text: LineText, at: number): string[] {
  const words: string[] = [];
  for (let end = at; words.length < WORDS_MAX && isBlank(text.unitAt(end));) {
    const start = skipBlanks(text, end);
    end = findLettersEnd(text, start, WORD_LETTERS_MAX);
    // The French elision: "d'affilée".
    if (end === start + 1 && isAt(text, end, "'")) end = findLettersEnd(text, end + 1, WORD_LETTERS_MAX);
    const isWhole = end > start && (end >= text.length || !(isWordAt(text, end) || isAt(text, end, '-')));
    if (!isWhole) break;
    words.push(foldWord(text, start, end));
  }
  return words;
}
