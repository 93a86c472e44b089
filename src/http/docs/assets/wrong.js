// What went wrong: shows what explains the text that the reader pasted. Loaded when somebody pastes one.
import { all, one, root } from './dom.js';

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

/** Phones write another apostrophe, and JSON a backslash before a quote. @param {string} text */
function plain(text) {
  return text.toLowerCase().replaceAll('’', "'").replaceAll('\\', '').replaceAll('_', ' ');
}

/**
 * Whether a text has the code of a row, a part of its sentence, or all of the sentence with something in its gaps.
 * @param {HTMLTableRowElement} row
 * @param {string} asked
 */
function isNamed(row, asked) {
  const { id, cells } = row;
  const known = id ? [id] : (cells[0]?.textContent.split(':')[0] ?? '').split(', ');
  if (known.some((part) => asked.includes(plain(part)))) return true;
  let at = 0;
  return plain(sentenceOf(row))
    .split('…')
    .every((piece) => {
      const found = asked.indexOf(piece, at);
      at = found + piece.length;
      return found >= 0;
    });
}

/** @param {HTMLInputElement} input */
export async function explain(input) {
  await more;
  const asked = plain(input.value).trim();
  const rows = rowsIn('tbody tr');
  // Our own sentences are for whoever pastes one: the page has enough rows to look through.
  const listed = rows.filter((row) => row.closest('[data-word-for-word]') === null);
  const named = rows.filter((row) => isNamed(row, asked));
  const found =
    named.length > 0 ? named : listed.filter(({ textContent }) => plain(textContent).includes(asked));
  // An empty table would say that there is no help.
  const shown = found.length > 0 ? found : listed;
  for (const row of rows) row.hidden = !shown.includes(row);
  for (const table of all('table', tables)) table.hidden = !shown.some((row) => table.contains(row));
  const text =
    found.length === 0
      ? 'That comes from Discord or from your tool, not from this service. Look there, or for one of these:'
      : `${found.length} found`;
  one('[data-wrong-count]').textContent = asked === '' ? '' : text;
}
