// The recipe for the reader's builder, written by the service with what is filled in beside the main field.
import { showKey } from '../copy.js';
import { all, one } from '../dom.js';
import { currentBuilder } from '../builder.js';
import { fieldsOf } from './request.js';

/** The recipe is asked for after this pause in typing. */
const TYPING_PAUSE_MS = 200;

/** @type {HTMLElement | null} */
const panel = document.querySelector('[data-recipe]');
/** @type {HTMLFormElement} */
const form = one('[data-operation]');

/** The builder's own names for variables, by our names. They stay in the page. */
const names = new Map();
let requests = 0;

async function write() {
  if (panel === null) return;
  const { recipe: operation, main = '' } = panel.dataset;
  const fields = Object.entries(fieldsOf(form))
    .filter(([name]) => name !== main)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]);
  requests += 1;
  const mine = requests;
  const response = await fetch('recipe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ operation, tool: currentBuilder(), fields: Object.fromEntries(fields) }),
  });
  const recipe = await response.json();
  // A later request may have been answered already.
  if (!recipe.ok || mine !== requests) return;
  panel.innerHTML = recipe.html;
  one('[data-seen]').innerHTML = recipe.seen;
  one('[data-refusals]').innerHTML = recipe.wrong;
  showKey();
  showNames();
}

/** When the service does not answer, the page keeps the old recipe. */
export function refreshRecipe() {
  write().catch(() => {});
}

function showNames() {
  /** @type {HTMLInputElement[]} */
  const inputs = all('[data-name-of]');
  for (const input of inputs) {
    input.value = names.get(input.dataset['nameOf']) ?? '';
  }
  for (const place of all('[data-var]')) {
    place.textContent = names.get(place.dataset['var']) || `(${place.dataset['var']})`;
  }
}

export function startRecipe() {
  if (panel === null) return;
  let pause = 0;
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLElement && target.getAttribute('name') === panel.dataset['main']) return;
    clearTimeout(pause);
    pause = setTimeout(refreshRecipe, TYPING_PAUSE_MS);
  });
  panel.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    names.set(target.dataset['nameOf'], target.value.trim());
    showNames();
  });
}
