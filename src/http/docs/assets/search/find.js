// Finds the entries of the index for the typed words. It does not use the DOM.
import { SYNONYMS } from './synonyms.js';
import { isTypo } from './typo.js';

/** @typedef {[title: string, kind: string, path: string, text: string, words?: string]} Entry */

/** About a screen. */
const HITS_MAX = 12;

/** They say nothing about what a reader looks for, and long guides have them all. */
const FILLERS = new Set('a an and code error how is it of problem the to working works'.split(' '));
/** Longer words are never dropped if an entry has them. */
const SHORT_LENGTH_MAX = 3;
/** Longer searches are not corrected. Each word takes some milliseconds, and a pasted log has many. */
const CORRECTED_WORDS_MAX = 10;

/** Guides for those who run or change the service. Most readers use it, so their pages come first. */
const FOR_OPERATORS = /^docs\/(?:changelog|contribute|operate|scale)\b/;
/** What a hit in them counts. */
const OPERATORS_SHARE = 0.7;

/** A reader who searches for a value such as `#ff0000` looks for colours. */
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
 * Scores an entry: 0 unless it has all words, or synonyms of them. A word scores most as the whole title, then as a word
 * of the title, its start, or another part of it, then among its other names, then in the text. Operations score three
 * times as much, because most readers look for them.
 * @param {Entry} entry
 * @param {string[][]} asked see `wordsOf`
 */
function rank([title, kind, path, text, words = ''], asked) {
  const [inTitle, inWords, inText] = [fold(title).replace('?', ''), ` ${fold(words)}`, ` ${fold(text)}`];
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
  if (FOR_OPERATORS.test(path)) return sum * OPERATORS_SHARE;
  return kind === 'Operation' ? sum * 3 : sum;
}

/**
 * @param {readonly Entry[]} index
 * @param {string} typed
 * @returns {readonly Entry[]} the best first
 */
export function find(index, typed, asked = understand(index, typed)) {
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
 * The words to search for: those that were typed, if an entry has them all. Otherwise, those that occur nowhere are
 * replaced by one that they may be a typo of, or dropped. Short words are dropped too, if others remain.
 * @param {readonly Entry[]} index
 * @param {string} typed
 */
export function understand(index, typed) {
  const asked = tellingWords(typed);
  /** @param {string[][]} words */
  const best = (words) => (words.length === 0 ? 0 : Math.max(...index.map((entry) => rank(entry, words))));
  if (asked.length > CORRECTED_WORDS_MAX || best(asked) > 0) return asked;
  // Readers type codes and fields as a whole.
  const titles = index.flatMap(([title]) => [fold(title), ...fold(title).split(/[^\p{L}\p{N}]+/u)]);
  const written = [...titles, ...Object.keys(SYNONYMS), ...MEANT.keys()];
  const known = asked.flatMap((same) => {
    const [word = ''] = same;
    if (best([same]) > 0) return [same];
    const meant = written.filter((each) => isTypo(word, each)).map(wordsOf);
    return meant.sort((one, other) => best(other) - best(one))[0] ?? [];
  });
  const long = known.filter(([word = '']) => word.length > SHORT_LENGTH_MAX);
  return [long, known].find((words) => best(words) > 0) ?? asked;
}

/**
 * The typed words without fillers, if others remain.
 * @param {string} typed
 */
export function tellingWords(typed) {
  const all = wordsOf(typed);
  const telling = all.filter(([word = '']) => !FILLERS.has(word));
  return telling.length > 0 ? telling : all;
}

/**
 * Each typed word, folded, with its synonyms on the pages.
 * @param {string} typed
 */
export function wordsOf(typed) {
  return fold(typed)
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => [word, ...(HEX_COLOUR.test(word) ? ['colour'] : (MEANT.get(word) ?? []))]);
}
