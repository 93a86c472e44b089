// Recipes for the tool that was chosen at the top. The key is masked where they are shown, and whole where they are
// copied.
import { currentKey, say } from './key.js';
import { fieldsOf } from './answer.js';

const TOOL_ITEM = 'quartermaster-tool';
const KEY_PLACEHOLDER = 'YOUR_API_KEY';
const TYPING_PAUSE_MS = 200;

const toolInput = document.querySelector('[data-tool]');
const panels = [...document.querySelectorAll('[data-recipe]')];
const formOf = (panel) => document.querySelector(`form[data-operation="${panel.dataset.recipe}"]`);

/** The code in an element, with the key of the reader where the placeholder was. */
const templates = new WeakMap();
const fill = (code, key) => templates.get(code).replaceAll(KEY_PLACEHOLDER, () => key || KEY_PLACEHOLDER);

/** The public part is enough to tell one key from another. */
const maskedKey = () => (currentKey() === '' ? '' : `${currentKey().slice(0, 6)}••••••`);

function showCodes(panel) {
  for (const code of panel.querySelectorAll('[data-code]')) {
    if (!templates.has(code)) templates.set(code, code.textContent);
    for (const place of code.querySelectorAll('[data-key]'))
      place.textContent = maskedKey() || KEY_PLACEHOLDER;
  }
}

/** Also when the browser forbids it: then the text is selected. */
export async function copy(text, element, output) {
  try {
    await navigator.clipboard.writeText(text);
    say(output, 'Copied.', 'good');
  } catch {
    if (templates.has(element)) element.textContent = text;
    getSelection().selectAllChildren(element);
    say(output, 'Selected: copy it with your keyboard.', 'good');
  }
}

async function refreshRecipe(panel) {
  const literal = panel.querySelector('[data-literal]');
  const fields = fieldsOf(formOf(panel));
  if (!literal.checked) delete fields[literal.dataset.main];
  const order = { operation: panel.dataset.recipe, tool: toolInput.value, fields };
  const turn = (panel.turn = (panel.turn ?? 0) + 1);
  const response = await fetch('docs/recipe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
  });
  const recipe = await response.json();
  // A later order may have been answered first.
  if (!recipe.ok || turn !== panel.turn) return;
  const output = panel.querySelector('output');
  output.textContent = '';
  panel.append(output);
  panel.querySelector('[data-body]').innerHTML = recipe.html;
  showCodes(panel);
}

/** When the service does not answer, the page keeps what it shows. */
function refreshRecipes(only = panels) {
  for (const panel of only) refreshRecipe(panel).catch(() => {});
}

const pauses = new Map();
function refreshSoon(panel) {
  clearTimeout(pauses.get(panel));
  pauses.set(
    panel,
    setTimeout(() => refreshRecipes([panel]), TYPING_PAUSE_MS),
  );
}

export function showKeyInRecipes() {
  for (const panel of panels) showCodes(panel);
}

const isKnown = (tool) => [...toolInput.options].some(({ value }) => value === tool);

/** The tool of the address, which somebody may have shared, goes before that of the tab. */
function chooseTool() {
  const shared = new URLSearchParams(location.search).get('tool');
  const kept = sessionStorage.getItem(TOOL_ITEM);
  if (isKnown(shared)) sessionStorage.setItem(TOOL_ITEM, shared);
  else if (isKnown(kept)) {
    toolInput.value = kept;
    refreshRecipes();
  }
}

export function startRecipes() {
  for (const panel of panels) {
    formOf(panel).addEventListener('input', () => refreshSoon(panel));
    panel.querySelector('[data-literal]').addEventListener('change', () => refreshRecipes([panel]));
    panel.addEventListener('click', ({ target }) => {
      const copyable = target.closest('[data-copy]')?.closest('[data-copyable]');
      if (!copyable) return;
      const code = copyable.querySelector('[data-code]');
      // The result appears beside the button that was pressed.
      const output = panel.querySelector('output');
      copyable.append(output);
      void copy(fill(code, currentKey()), code, output);
    });
  }
  toolInput.addEventListener('change', () => {
    sessionStorage.setItem(TOOL_ITEM, toolInput.value);
    history.replaceState(null, '', `?tool=${toolInput.value}${location.hash}`);
    refreshRecipes();
  });
  chooseTool();
  showKeyInRecipes();
}
