// Which entries of the index answer what somebody types. It needs no page.

/** @typedef {[title: string, kind: string, address: string, text: string, words?: string]} Entry */

const HITS_MAX = 12;
/**
 * Without case and marks, so that `ı`, `ü` and `ş` are found by those who do not type them.
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

/**
 * How well an entry answers, 0 for not at all: all words must occur. The whole title goes before a word of it, that before
 * its start, that before the rest of it, that before other words for it and its text. Operations are what most people look
 * for.
 * @param {Entry} entry
 * @param {string[]} asked folded
 */
function rank([title, kind, , text, words = ''], asked) {
  const [inTitle, inWords, inText] = [fold(title), ` ${fold(words)}`, ` ${fold(text)}`];
  let sum = 0;
  for (const word of asked) {
    if (inTitle === word) sum += 100;
    else if (` ${inTitle} `.includes(` ${word} `)) sum += 50;
    else if (inTitle.startsWith(word)) sum += 40;
    else if (inTitle.includes(word)) sum += 20;
    else if (`${inWords} `.includes(` ${word} `)) sum += 18;
    else if (inWords.includes(` ${word}`)) sum += 12;
    else if (inText.includes(` ${word}`)) sum += 6;
    else if (inText.includes(word)) sum += 3;
    else return 0;
  }
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

/** @param {string} typed */
export function wordsOf(typed) {
  return fold(typed).split(/\s+/).filter(Boolean);
}
