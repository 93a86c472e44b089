// What an answer lists about something that was pasted, for the page that the service sends and for answers in it.
import { vnode } from '../vnode.js';

/**
 * @typedef {object} Finding
 * @property {string | null} path null for the whole of it
 * @property {string} kind
 * @property {string} text
 * @property {boolean} fixed
 * @property {string | null} discord
 */

/**
 * A table of each list that has entries, with each sentence beside its place.
 * @param {Readonly<Partial<Record<string, string>>>} lists the heading of each, by its key
 * @param {Readonly<Record<string, unknown>>} answer
 */
export function findingTables(lists, answer) {
  return Object.entries(lists).flatMap(([key, heading = key]) => {
    const found = /** @type {readonly Finding[]} */ (answer[key] ?? []);
    return found.length === 0 ? [] : [findingTable(heading, found)];
  });
}

/** @param {string} heading @param {readonly Finding[]} found */
function findingTable(heading, found) {
  const columns = ['Place', 'What is wrong'].map((column) => vnode('th', { scope: 'col' }, column));
  return vnode(
    'table',
    { class: 'facts' },
    vnode('caption', {}, heading),
    vnode('thead', {}, vnode('tr', {}, ...columns)),
    vnode('tbody', {}, ...found.map(row)),
  );
}

/** @param {Finding} finding */
function row({ path, kind, text, fixed, discord }) {
  // A finding of the kind `discord` already quotes Discord.
  const said = discord === null || kind === 'discord' ? '' : ` Discord: ${discord}`;
  const mark = fixed ? [' ', vnode('span', { class: 'need' }, 'put right')] : [];
  return vnode(
    'tr',
    {},
    vnode('th', { scope: 'row' }, path === null ? 'the message' : vnode('code', {}, path)),
    vnode('td', {}, text, said, ...mark),
  );
}
