// The parts of an answer that a reader looks at first, for the page that the service sends and for answers in it.
import { vnode } from '../vnode.js';

/** Of a list that may have thousands of entries. */
const LISTED_MAX = 5;

/**
 * @typedef {object} Part
 * @property {string} key
 * @property {string} displayText the value as it was typed, or `nothing`
 * @property {string | null} exact the value that a bot uses; null where that is the text
 * @property {boolean} isNone the answer has no value, also where something was typed
 */

/**
 * @param {readonly (string | readonly string[])[]} shown keys, or pairs: how it was typed, and its value
 * @param {Readonly<Record<string, unknown>>} answer
 * @returns {Part[]}
 */
export function partsOf(shown, answer) {
  return shown.map((part) => {
    const [typed = '', key = typed] = typeof part === 'string' ? [part] : part;
    const value = answer[key] ?? null;
    const shownValue = answer[typed] ?? value;
    return {
      key,
      displayText: shownValue === null ? 'nothing' : toDisplayText(shownValue),
      exact: typeof part === 'string' ? null : toDisplayText(value),
      isNone: value === null,
    };
  });
}

/**
 * A part in its card, with its name on the label.
 * @param {Part} part
 * @param {import('../vnode.js').VirtualNode[]} drawn the text, where it has more than letters
 * @param {string} why why there is no value
 */
export function partCard({ key, displayText, exact, isNone }, drawn = [displayText], why = '') {
  return vnode(
    'li',
    isNone ? { class: 'card', 'data-none': '' } : { class: 'card' },
    vnode('span', { class: 'label' }, key),
    vnode('b', {}, ...drawn),
    ...(exact === null ? [] : [vnode('code', {}, exact)]),
    ...(why === '' ? [] : [vnode('p', { class: 'hint' }, why)]),
  );
}

/** @param {unknown} value */
function toDisplayText(value) {
  if (Array.isArray(value)) {
    const listed = value.slice(0, LISTED_MAX).map(toEntryText).join(', ') || 'none';
    return value.length > LISTED_MAX ? `${listed} and ${value.length - LISTED_MAX} more` : listed;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @param {unknown} entry such as a role with its count, which becomes `id: count` */
function toEntryText(entry) {
  return typeof entry === 'object' && entry !== null ? Object.values(entry).join(': ') : String(entry);
}
