// Finds the rows of the tables below *What went wrong?* that explain a pasted text.

import { isTypo } from '../search/typo.js';

/**
 * @typedef {object} Explanation
 * @property {string | null} code of the service
 * @property {readonly string[]} known what a text must have as whole words, one of them. `…` stands for anything.
 * @property {boolean} isWholeTextOnly they match only a text without other words
 * @property {RegExp | null} pattern matches a plain text, in place of the words
 * @property {boolean} isFallback it explains only a text that no other row explains
 * @property {boolean} hidesOthers where it explains the text, only it is shown
 */

const WORD = /[\p{L}\p{N}_]/u;
const NUMBER = /^\d+$/;
/** Of a text without a known error, only the first words are compared with codes. */
const WORDS_MAX = 100;
/** How the libraries print a response of Discord. */
const FROM_DISCORD = /discord\.errors|discordapierror/;

/** Phones write another apostrophe, forums another hyphen, and JSON a backslash before a quote. @param {string} text */
export function plain(text) {
  return text.toLowerCase().replaceAll('’', "'").replaceAll('–', '-').replaceAll('\\', '').trim();
}

/** A sentence is often typed or copied without its full stop. @param {string} text */
const withoutStop = (text) => text.replace(/\.$/, '');

/**
 * Returns where the words end, or -1. Part of a longer word does not count.
 * @param {string} text
 * @param {string} words
 */
function endOf(text, words, from = 0) {
  for (let at = text.indexOf(words, from); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    const joins = (/** @type {number} */ place) =>
      WORD.test(text.charAt(place - 1)) && WORD.test(text.charAt(place));
    if (!joins(at) && !joins(end)) return end;
  }
  return -1;
}

/** @param {string} text @param {string} known */
function has(text, known) {
  // A number is an id, a port or an amount as well.
  if (NUMBER.test(known)) {
    const before = String.raw`\[|(?:code|error|status|http(?:/[\d.]+)?)\W{1,4}`;
    return new RegExp(String.raw`(?:${before})${known}(?!\w)|^${known}(?! ?\w)`).test(text);
  }
  let at = 0;
  return known.split('…').every((piece) => {
    at = piece.trim() === '' ? at : endOf(text, piece, at);
    return at >= 0;
  });
}

/**
 * A code without an underscore may also be an ordinary word.
 * @param {string} text
 * @param {string} code
 */
function hasCode(text, code) {
  return (
    text === code ||
    (code.includes('_') && endOf(text, code) >= 0) ||
    new RegExp(String.raw`\bcode\W{1,4}${code}(?!\w)`).test(text)
  );
}

/**
 * Recognises an answer of the service by its code, or by its sentence if a builder shows only that. The answer may quote
 * other texts, so it gets no other rows.
 * @template {Explanation} Row
 * @param {string} pasted
 * @param {readonly Row[]} rows
 * @returns {Row[]} empty when none explains it
 */
export function explainingRows(pasted, rows) {
  const text = plain(pasted);
  const isKnown = (/** @type {Row} */ { known, isWholeTextOnly, pattern }) =>
    pattern?.test(text) ??
    known
      .map((each) => withoutStop(plain(each)))
      .some((each) => (isWholeTextOnly ? withoutStop(text) === each : has(text, each)));
  const own = rows.filter(({ code }) => code !== null);
  const coded = own.filter(({ code }) => code !== null && hasCode(text, code));
  const said = (coded.length > 0 ? coded : own).filter(isKnown);
  if (said.length > 0) return said;
  if (coded.length > 0) return coded.slice(0, 1);
  const others = rows.filter((row) => row.code === null && isKnown(row));
  const exact = others.filter(({ hidesOthers }) => hidesOthers);
  if (exact.length > 0) return exact;
  const first = others.filter(({ isFallback }) => !isFallback);
  const found = first.length > 0 || FROM_DISCORD.test(text) ? first : others;
  return found.length > 0 ? found : misspelt(text, own);
}

/**
 * The row of the code that was typed with a typo. Only one word with an underscore, or the whole text, can be a code.
 * @template {Explanation} Row
 * @param {string} text
 * @param {readonly Row[]} own
 */
function misspelt(text, own) {
  const words = text
    .split(/[^\p{L}\p{N}_]+/u, WORDS_MAX)
    .filter((word) => word === text || word.includes('_'));
  return own.filter(({ code }) => code !== null && words.some((word) => isTypo(word, code))).slice(0, 1);
}
