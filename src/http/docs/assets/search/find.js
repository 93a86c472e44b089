// Finds the entries of the index for the typed words. It needs no page.
import { SYNONYMS } from './synonyms.js';

/** @typedef {[title: string, kind: string, path: string, text: string, words?: string]} Entry */

const HITS_MAX = 12;

/** Who pastes `#ff0000` asks about colours. No page has this very one. */
const HEX_COLOUR = /^#(?:[\da-f]{3}){1,2}$/;

/**
 * Removes case and marks, so that readers find `ı`, `ü` and `ş` without typing them.
 * @param {string} text
 */
export function fold(text) {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss');
}

/** @type {Map<string, string[]>} by a folded synonym, the words of the pages */
const MEANT = new Map();
for (const [word, others] of Object.entries(SYNONYMS)) {
  for (const other of others.split(' ')) MEANT.set(fold(other), [...(MEANT.get(fold(other)) ?? []), word]);
}

/**
 * How well an entry answers, 0 for not at all: all words must occur, or one that means the same. The whole title goes
 * before a word of it, that before its start, that before the rest of it, that before other words for it and its text.
 * Operations are what most people look for.
 * @param {Entry} entry
 * @param {string[][]} asked see `wordsOf`
 */
function rank([title, kind, , text, words = ''], asked) {
  const [inTitle, inWords, inText] = [fold(title), ` ${fold(words)}`, ` ${fold(text)}`];
  /** @param {string} word */
  const rankOf = (word) => {
    if (inTitle === word) return 100;
    if (` ${inTitle} `.includes(` ${word} `)) return 50;
    if (inTitle.startsWith(word)) return 40;
    if (inTitle.includes(word)) return 20;
    if (`${inWords} `.includes(` ${word} `)) return 18;
    if (inWords.includes(` ${word}`)) return 12;
    // A text that repeats the word is more about it.
    const times = inText.split(` ${word}`).length - 1;
    if (times > 0) return 5 + Math.min(times, 5);
    return inText.includes(word) ? 3 : 0;
  };
  const sums = asked.map((same) => Math.max(...same.map(rankOf)));
  if (sums.includes(0)) return 0;
  const sum = sums.reduce((all, each) => all + each, 0);
  return kind === 'Operation' ? sum * 3 : sum;
}

/**
 * @param {readonly Entry[]} index
 * @param {string} typed
 * @returns {readonly Entry[]} the best first
 */
export function find(index, typed) {
  const asked = wordsOf(typed);
  if (asked.length === 0)
    return index.filter(([, kind]) => kind === 'Operation' || kind === 'Start').slice(0, HITS_MAX);
  return index
    .map((entry) => ({ entry, sum: rank(entry, asked) }))
    .filter(({ sum }) => sum > 0)
    .sort((one, other) => other.sum - one.sum)
    .slice(0, HITS_MAX)
    .map(({ entry }) => entry);
}

/**
 * Each word that was typed, folded, with those of the pages that mean the same.
 * @param {string} typed
 */
export function wordsOf(typed) {
  return fold(typed)
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => [word, ...(HEX_COLOUR.test(word) ? ['colour'] : (MEANT.get(word) ?? []))]);
}
