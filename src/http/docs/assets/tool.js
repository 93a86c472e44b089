// The builder that the reader uses follows from page to page; `?tool=` shares it.
import { all } from './dom.js';

const TOOL_ITEM = 'quartermaster-tool';

/** @returns {HTMLSelectElement | null} */
const select = () => document.querySelector('[data-tool]');

export const currentTool = () => select()?.value ?? '';

/** Whether the reader has chosen a builder without code. */
export const buildsWithoutCode = () =>
  sessionStorage.getItem(TOOL_ITEM) !== null && select()?.selectedOptions[0]?.dataset['code'] === undefined;

/** Names it, and leads to its recipes where the service has written those of another one. */
function show() {
  const label = select()?.selectedOptions[0]?.text ?? '';
  for (const place of all('[data-tool-name]')) place.textContent = label;
  /** @type {HTMLAnchorElement[]} */
  const links = all('a[href*="?tool="]');
  for (const link of links) link.search = `?tool=${currentTool()}`;
}

/**
 * @param {() => void} [onChange] called when another builder is shown than the one that the service has written
 */
export function startTool(onChange = () => {}) {
  const chosen = select();
  if (chosen === null) return;
  /** @param {string | null} tool */
  const isKnown = (tool) => [...chosen.options].some(({ value }) => value === tool);
  const shared = new URLSearchParams(location.search).get('tool');
  const kept = sessionStorage.getItem(TOOL_ITEM);
  if (shared !== null && isKnown(shared)) {
    chosen.value = shared;
    sessionStorage.setItem(TOOL_ITEM, shared);
  } else if (kept !== null && isKnown(kept) && kept !== chosen.value) {
    chosen.value = kept;
    show();
    onChange();
  }
  chosen.addEventListener('change', () => {
    sessionStorage.setItem(TOOL_ITEM, chosen.value);
    history.replaceState(null, '', `?tool=${chosen.value}${location.hash}`);
    show();
    onChange();
  });
}
