// Finds the entries of the index for the typed words. It needs no page.
import { SYNONYMS } from './synonyms.js';

/** @typedef {[title: string, kind: string, path: string, text: string, words?: string]} Entry */

const HITS_MAX = 12;

/** Words that are longer are never left out if an entry has them. */
const SHORT_UNITS_MAX = 3;
/** A shorter word could be a slip of too many others. */
const SLIP_UNITS_MIN = 5;
/** Each word takes some milliseconds, and who pastes a whole log should not wait for seconds. */
const MENDED_WORDS_MAX = 10;

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
 * replaced by one that they may be a slip of, or dropped, and so are short words if others are left.
 * @param {readonly Entry[]} index
 * @param {string} typed
 */
export function understand(index, typed) {
  const asked = wordsOf(typed);
  /** @param {string[][]} words */
  const best = (words) => (words.length === 0 ? 0 : Math.max(...index.map((entry) => rank(entry, words))));
  if (asked.length > MENDED_WORDS_MAX || best(asked) > 0) return asked;
  const titles = index.flatMap(([title]) => fold(title).split(/[^\p{L}\p{N}]+/u));
  const written = [...titles, ...Object.keys(SYNONYMS), ...MEANT.keys()];
  const known = asked.flatMap((same) => {
    const [word = ''] = same;
    if (best([same]) > 0) return [same];
    const meant = written.filter((each) => isSlip(word, each)).map(wordsOf);
    return meant.sort((one, other) => best(other) - best(one))[0] ?? [];
  });
  const long = known.filter(([word = '']) => word.length > SHORT_UNITS_MAX);
  return [long, known].find((words) => best(words) > 0) ?? asked;
}

/**
 * True with one letter more, less or other, or with two swapped.
 * @param {string} typed
 * @param {string} word
 */
function isSlip(typed, word) {
  if (Math.min(typed.length, word.length) < SLIP_UNITS_MIN) return false;
  let same = 0;
  while (same < typed.length && typed[same] === word[same]) same += 1;
  const [rest, meant] = [typed.slice(same), word.slice(same)];
  const swapped = `${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}`;
  return [rest.slice(1), rest].includes(meant.slice(1)) || rest.slice(1) === meant || swapped === meant;
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
