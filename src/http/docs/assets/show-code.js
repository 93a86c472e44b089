// Code in colours, in the browser.
import { colour } from './colours.js';
import { element } from './dom.js';

/**
 * @param {HTMLElement} place
 * @param {string} code
 * @param {string} language
 */
export function showInColours(place, code, language) {
  place.replaceChildren(
    ...colour(code, language).map(([kind, text]) => (kind === null ? text : element(`c-${kind}`, {}, text))),
  );
}
