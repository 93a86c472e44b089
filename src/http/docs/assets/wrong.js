// What went wrong: shows what explains the text that the reader pasted. Loaded when somebody pastes one.
import { askedInError } from './asked-in-error.js';
import { all, one, root } from './dom.js';
import { explainingRows, plain } from './explaining-rows.js';

const tables = one('[data-problems]');

/** Without them, the page explains what it has. */
const more = fetchMore().catch(() => {});

async function fetchMore() {
  const response = await fetch(`${root}docs/sentences.html`);
  if (!response.ok) return;
  const shown = new Set(rowsIn('tbody tr').map(sentenceOf));
  tables.insertAdjacentHTML('beforeend', await response.text());
  for (const row of rowsIn('[data-word-for-word] tbody tr')) if (shown.has(sentenceOf(row))) row.remove();
}

/** @param {string} selector @returns {HTMLTableRowElement[]} */
function rowsIn(selector) {
  return all(selector, tables);
}

/** @param {HTMLTableRowElement} row */
function sentenceOf({ cells }) {
  return cells[1]?.textContent ?? '';
}

/** @param {HTMLTableRowElement} row */
function explanationOf(row) {
  const { known, alone } = row.dataset;
  const code = known === undefined ? one('code', row).textContent : null;
  return {
    row,
    code,
    known: known === undefined ? [sentenceOf(row)] : JSON.parse(known),
    isAlone: alone !== undefined,
  };
}

/** For a word that somebody types: each beginning of a word in a row counts. @param {string} text */
function searchable(text) {
  return ` ${plain(text).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`;
}

/** @param {HTMLInputElement} input */
export async function explain(input) {
  await more;
  const asked = input.value.trim();
  const rows = rowsIn('tbody tr');
  // Our own sentences are for whoever pastes one: the page has enough rows to look through.
  const listed = rows.filter((row) => row.closest('[data-word-for-word]') === null);
  const named = explainingRows(asked, rows.map(explanationOf)).map(({ row }) => row);
  const found =
    named.length > 0
      ? named
      : listed.filter(({ textContent }) => searchable(textContent).includes(searchable(asked)));
  // An empty table would say that there is no help.
  const shown = found.length > 0 ? found : listed;
  for (const row of rows) row.hidden = !shown.includes(row);
  /** @type {HTMLAnchorElement[]} */
  const links = shown.flatMap((row) => all('a[href*="permission-check"]', row));
  for (const link of links) link.search = String(new URLSearchParams(askedInError(asked)));
  for (const table of all('table', tables)) table.hidden = !shown.some((row) => table.contains(row));
  const text =
    found.length === 0
      ? 'That comes from Discord or from your tool, not from this service. Look there, or for one of these:'
      : `${found.length} found`;
  one('[data-wrong-count]').textContent = asked === '' ? '' : text;
}
