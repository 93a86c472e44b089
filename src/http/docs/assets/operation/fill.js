// Fills the form with the fields that a link to this page names. It never sends them.
import { one } from '../dom.js';

/** @type {HTMLFormElement} */
const form = one('[data-operation]');
for (const [name, value] of new URLSearchParams(location.search)) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement && field.dataset['kind'] === 'text') field.value = value;
}
form.dispatchEvent(new Event('input'));
