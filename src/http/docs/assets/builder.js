// The builder that the reader uses follows from page to page; `?tool=` shares it.
import { all } from './dom.js';

const BUILDER_ITEM = 'quartermaster-tool';

/** @returns {HTMLSelectElement | null} */
const select = () => document.querySelector('[data-builder]');

export const currentBuilder = () => select()?.value ?? '';

/** Whether the reader has chosen a builder without code. */
export const buildsWithoutCode = () =>
  sessionStorage.getItem(BUILDER_ITEM) !== null &&
  select()?.selectedOptions[0]?.dataset['code'] === undefined;

/** The name of the chosen builder if it reads lists, or null. */
export function needsLists() {
  const option = select()?.selectedOptions[0];
  return option === undefined || option.dataset['flat'] !== undefined ? null : option.text;
}

/** Names it, and leads to its recipes where the service has written those of another one. */
function show() {
  const label = select()?.selectedOptions[0]?.text ?? '';
  for (const place of all('[data-builder-name]')) place.textContent = label;
  /** @type {HTMLAnchorElement[]} */
  const links = all('a[href*="?tool="]');
  for (const link of links) link.search = `?tool=${currentBuilder()}`;
}

/**
 * @param {() => void} [onChange] called when another builder is shown than the one that the service has written
 */
export function startBuilder(onChange = () => {}) {
  const chosen = select();
  if (chosen === null) return;
  /** @param {string | null} builder */
  const isKnown = (builder) => [...chosen.options].some(({ value }) => value === builder);
  const shared = new URLSearchParams(location.search).get('tool');
  const kept = sessionStorage.getItem(BUILDER_ITEM);
  if (shared !== null && isKnown(shared)) {
    chosen.value = shared;
    sessionStorage.setItem(BUILDER_ITEM, shared);
  } else if (kept !== null && isKnown(kept) && kept !== chosen.value) {
    chosen.value = kept;
    show();
    onChange();
  }
  chosen.addEventListener('change', () => {
    sessionStorage.setItem(BUILDER_ITEM, chosen.value);
    history.replaceState(null, '', `?tool=${chosen.value}${location.hash}`);
    show();
    onChange();
  });
}
