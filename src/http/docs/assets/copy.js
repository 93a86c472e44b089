// The Copy buttons. The page shows only the start of the key, but a copied text has the whole key.
import { all, element } from './dom.js';
import { currentKey, maskedKey } from './key.js';

const KEY_PLACEHOLDER = 'YOUR_API_KEY';
/** How long a button says that it has copied. */
const DONE_MS = 1500;

const spoken = element('p', { class: 'out-of-sight', role: 'status' });

/** Shows only the start of the key on the page. */
export function showKey() {
  for (const place of all('[data-key]')) place.textContent = maskedKey() || KEY_PLACEHOLDER;
  for (const note of all('[data-no-key]')) note.hidden = currentKey() !== '';
}

/** @param {HTMLElement} source */
function textOf(source) {
  const copied = /** @type {HTMLElement} */ (source.cloneNode(true));
  for (const place of all('[data-key]', copied)) place.textContent = currentKey() || KEY_PLACEHOLDER;
  return copied.textContent ?? '';
}

/** @param {HTMLElement} button */
async function copy(button) {
  const copyable = button.closest('.code-panel, .pair');
  if (copyable === null) return;
  const source = all('code, output.mono', copyable).find((each) => each.closest('[hidden]') === null);
  if (source === undefined) return;
  const label = button.dataset['label'] ?? button.textContent ?? '';
  button.dataset['label'] = label;
  delete button.dataset['was'];
  try {
    await navigator.clipboard.writeText(textOf(source));
    button.textContent = 'Copied';
  } catch {
    // The browser forbids copying, so the text is selected instead.
    source.textContent = textOf(source);
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
  button.dataset['done'] = '';
  spoken.textContent = button.textContent;
  // A tick stays, so that the reader finds the place again after a look at another tab.
  setTimeout(() => {
    button.textContent = label;
    button.dataset['was'] = '';
    delete button.dataset['done'];
    spoken.textContent = '';
  }, DONE_MS);
}

export function startCopying() {
  document.body.append(spoken);
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('.copy') : null;
    if (button instanceof HTMLElement) void copy(button);
  });
  showKey();
}
