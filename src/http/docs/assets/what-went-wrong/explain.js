// Shows the rows of *What went wrong?* that explain a pasted text. Loaded when the reader pastes one.
import { fieldsFromError } from './fields-from-error.js';
import { all, one, root } from '../dom.js';
import { isTypo } from '../search/typo.js';
import { explainingRows, plain } from './explaining-rows.js';
import { handOver } from './pasted.js';

/** Longer texts are pasted, not typed. */
const CORRECTED_WORDS_MAX = 10;

const tables = one('[data-problems]');

/** Rows of other pages. If they cannot be loaded, the page searches only its own. */
const more = fetchMore().catch(() => {});

async function fetchMore() {
  const response = await fetch(`${root}docs/sentences.html`);
  if (response.ok) tables.insertAdjacentHTML('beforeend', await response.text());
}

/** @param {HTMLTableRowElement} row */
function sentenceOf({ cells, dataset }) {
  return cells[dataset['sentence'] === undefined ? 1 : 0]?.textContent ?? '';
}

/** @param {HTMLTableRowElement} row */
function isOwn(row) {
  return row.closest('[data-more]') === null;
}

/** Rows of the page, and those of other pages whose sentence this page does not have. */
function allRows() {
  /** @type {HTMLTableRowElement[]} */
  const rows = all('tbody tr', tables);
  const said = new Set(rows.filter(isOwn).map(sentenceOf));
  return rows.filter((row) => isOwn(row) || !said.has(sentenceOf(row)));
}

/** @param {HTMLTableRowElement} row */
function explanationOf(row) {
  const { known, wholeText, pattern, last, exact, sentence } = row.dataset;
  const isOurs = known === undefined && sentence === undefined;
  // In `Write: !ban`, what is after the colon may have another prefix.
  const said = isOurs ? [sentenceOf(row)] : sentenceOf(row).split(':', 1);
  return {
    row,
    code: isOurs ? one('code', row).textContent : null,
    known: known === undefined ? said : JSON.parse(known),
    isWholeTextOnly: wholeText !== undefined,
    pattern: pattern === undefined ? null : new RegExp(pattern),
    isFallback: last !== undefined,
    hidesOthers: exact !== undefined,
  };
}

/** Shows what the page shows before a text is pasted: the sentences of the recipe, and the codes folded. */
function reset() {
  for (const row of all('tbody tr', tables)) row.hidden = row.closest('[data-more]') !== null;
  for (const codes of all('details', tables)) codes.removeAttribute('open');
  one('[data-wrong-count]').textContent = '';
}

/** @param {string} text */
function searchable(text) {
  return ` ${plain(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/**
 * Matches a typed word with each beginning of a word in a row, and a number only with the whole number.
 * @param {HTMLTableRowElement} row
 * @param {string} typed
 */
function mentions({ textContent }, typed) {
  const wanted = searchable(typed);
  if (wanted.trim() === '') return false;
  return searchable(textContent).includes(/\d $/.test(wanted) ? wanted : wanted.trimEnd());
}

/**
 * Matches as `mentions` does, in any order, and each word also with one that it may be a typo of.
 * @param {HTMLTableRowElement} row
 * @param {readonly string[]} typed
 */
function mayMention({ textContent }, typed) {
  const words = searchable(textContent).split(' ');
  return typed.every((word) => words.some((each) => each.startsWith(word) || isTypo(word, each)));
}

/** @type {HTMLTextAreaElement} */
const box = one('#came');
// A link that opens in another tab passes no text, because it would stay in this tab's session storage.
tables.addEventListener('click', ({ target, ctrlKey, metaKey, shiftKey }) => {
  const link = target instanceof Element ? target.closest('a[href$="message-check"]') : null;
  if (link !== null && !ctrlKey && !metaKey && !shiftKey) handOver(box.value);
});

const NOT_EXPLAINED =
  'No row here explains it. It may come from Discord, your builder or a proxy in front of this service. Look there, or for one of these:';

/** @param {HTMLTextAreaElement} input */
export async function explain(input) {
  await more;
  const asked = input.value.trim();
  if (asked === '') return reset();
  const rows = allRows();
  // Our own sentences match only a pasted error, not a search by words: the other rows are enough for that.
  const listed = rows.filter((row) => row.closest('[data-word-for-word]') === null);
  const named = explainingRows(asked, rows.map(explanationOf)).map(({ row }) => row);
  const found = named.length > 0 ? named : listed.filter((row) => mentions(row, asked));
  const words = searchable(asked).trim().split(' ');
  const isShort = words[0] !== '' && words.length <= CORRECTED_WORDS_MAX;
  const alike = found.length === 0 && isShort ? listed.filter((row) => mayMention(row, words)) : [];
  // An empty table would look like no help at all.
  const shown = [found, alike].find((each) => each.length > 0) ?? listed;
  /** @type {HTMLTableRowElement[]} */
  const everyRow = all('tbody tr', tables);
  for (const row of everyRow) row.hidden = !shown.includes(row);
  /** @type {HTMLAnchorElement[]} */
  const links = shown.flatMap((row) => all('a[href*="permission-check"]', row));
  for (const link of links) link.search = String(new URLSearchParams(fieldsFromError(asked)));
  for (const codes of all('details', tables)) codes.setAttribute('open', '');
  const none = alike.length > 0 ? 'No row has these words. Did you mean one of these?' : NOT_EXPLAINED;
  one('[data-wrong-count]').textContent = found.length > 0 ? `${found.length} found` : none;
}
