// The forms and recipes of the documents. The key is kept in this tab's session storage and put into calls and into
// the shown recipes; nothing else is stored, and nothing goes to another host.
const KEY_ITEM = 'quartermaster-key';
const TOOL_ITEM = 'quartermaster-tool';
const KEY_PLACEHOLDER = 'YOUR_API_KEY';
const SHOWN_CHARACTERS_MAX = 20_000;
const TYPING_PAUSE_MS = 200;

const keyInput = document.getElementById('key-input');
const currentKey = () => keyInput.value.trim();

function say(output, text, state) {
  output.textContent = text;
  output.dataset.state = state;
}

async function call(path, init = {}) {
  const response = await fetch(path, { ...init, headers: { Authorization: currentKey(), ...init.headers } });
  return { response, body: await response.json() };
}

function describeFailure(body) {
  return [`${body.status} ${body.code}: ${body.error}`, body.hint].filter(Boolean).join(' ');
}

/** How many calls are left, from the header `RateLimit`. */
function describeQuota(response) {
  const left = /r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1];
  return left === undefined ? '' : `, ${left} calls left this minute`;
}

/** @param handle never rejects */
function onSubmit(form, handle) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void handle(form);
  });
}

// The key.

const keyForm = document.querySelector('[data-key-form]');
const keyOutput = keyForm.querySelector('output');

async function checkKey() {
  sessionStorage.setItem(KEY_ITEM, currentKey());
  refreshRecipes();
  say(keyOutput, 'Checking …', 'busy');
  try {
    const { response, body } = await call('api/key');
    if (!body.ok) {
      say(keyOutput, describeFailure(body), 'failed');
      return;
    }
    const server = body.guild_id === null ? 'no server' : `server ${body.guild_id}`;
    say(keyOutput, `“${body.name}” of ${server} works${describeQuota(response)}.`, 'good');
  } catch {
    say(keyOutput, 'The service does not answer.', 'failed');
  }
}

onSubmit(keyForm, checkKey);

keyForm.querySelector('[data-show]').addEventListener('click', ({ currentTarget }) => {
  const isShown = keyInput.type === 'text';
  keyInput.type = isShown ? 'password' : 'text';
  currentTarget.setAttribute('aria-pressed', String(!isShown));
  currentTarget.textContent = isShown ? 'Show' : 'Hide';
});

keyForm.querySelector('[data-forget]').addEventListener('click', () => {
  sessionStorage.removeItem(KEY_ITEM);
  keyInput.value = '';
  say(keyOutput, 'Forgotten.', 'good');
  refreshRecipes();
});

// Trying an operation.

function fieldsOf(form) {
  const fields = {};
  for (const control of form.elements) {
    if (control.name && control.value !== '') fields[control.name] = control.value;
  }
  return fields;
}

function callOperation(form) {
  const { method, path } = form.dataset;
  const fields = fieldsOf(form);
  const token = form.querySelector('[data-token]')?.value.trim();
  const headers = token ? { Token: token } : {};
  if (method === 'GET') return call(`${path}?${new URLSearchParams(fields)}`, { headers });
  return call(path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
}

/** A long answer is shown from its beginning; an image is shown as one. */
function showAnswer(place, body) {
  const json = JSON.stringify(body, null, 2);
  const rest = json.length - SHOWN_CHARACTERS_MAX;
  place.textContent =
    rest > 0 ? `${json.slice(0, SHOWN_CHARACTERS_MAX)}\n… and ${rest} characters more` : json;
  place.hidden = false;
  const data = body.data_uri || (body.base64 && `data:${body.mime_type};base64,${body.base64}`);
  if (!data) return;
  const image = new Image();
  image.src = data;
  image.alt = `The image, ${body.width} by ${body.height} pixels`;
  place.prepend(image);
}

async function tryOperation(form) {
  const output = form.querySelector('output');
  const button = form.querySelector('button[type=submit]');
  if (currentKey() === '') {
    say(output, 'Paste your key first.', 'failed');
    keyInput.focus();
    return;
  }
  button.disabled = true;
  say(output, 'Sending …', 'busy');
  try {
    const startedAt = performance.now();
    const { response, body } = await callOperation(form);
    const took = Math.round(performance.now() - startedAt);
    showAnswer(form.querySelector('.answer'), body);
    if (body.ok) say(output, `${response.status} in ${took} ms${describeQuota(response)}`, 'good');
    else say(output, describeFailure(body), 'failed');
  } catch {
    say(output, 'The service does not answer.', 'failed');
  } finally {
    button.disabled = false;
  }
}

for (const form of document.querySelectorAll('form[data-operation]')) onSubmit(form, tryOperation);

// Recipes.

const panels = [...document.querySelectorAll('[data-recipe]')];

async function refreshRecipe(panel) {
  const form = document.querySelector(`form[data-operation="${panel.dataset.recipe}"]`);
  const literal = panel.querySelector('[data-literal]');
  const fields = fieldsOf(form);
  if (!literal.checked) delete fields[literal.dataset.main];
  const order = { operation: panel.dataset.recipe, tool: panel.querySelector('[data-tool]').value, fields };
  const turn = (panel.turn = (panel.turn ?? 0) + 1);
  const response = await fetch('docs/recipe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
  });
  const recipe = await response.json();
  // A later order may have been answered first.
  if (!recipe.ok || turn !== panel.turn) return;
  panel.querySelector('pre code').dataset.language = recipe.language;
  panel.querySelector('pre code').textContent = recipe.code.replaceAll(
    KEY_PLACEHOLDER,
    () => currentKey() || KEY_PLACEHOLDER,
  );
  panel.querySelector('[data-note]').innerHTML = recipe.note_html;
}

/** What is shown stays when the service does not answer. */
function refreshRecipes(only = panels) {
  for (const panel of only) refreshRecipe(panel).catch(() => {});
}

async function copyRecipe(panel) {
  const output = panel.querySelector('output');
  const code = panel.querySelector('pre code');
  try {
    await navigator.clipboard.writeText(code.textContent);
    say(output, 'Copied.', 'good');
  } catch {
    getSelection().selectAllChildren(code);
    say(output, 'Selected: copy it with your keyboard.', 'good');
  }
}

const pauses = new Map();
function refreshSoon(panel) {
  clearTimeout(pauses.get(panel));
  pauses.set(
    panel,
    setTimeout(() => refreshRecipes([panel]), TYPING_PAUSE_MS),
  );
}

for (const panel of panels) {
  const form = document.querySelector(`form[data-operation="${panel.dataset.recipe}"]`);
  form.addEventListener('input', () => refreshSoon(panel));
  panel.querySelector('[data-literal]').addEventListener('change', () => refreshRecipes([panel]));
  panel.querySelector('[data-tool]').addEventListener('change', ({ currentTarget }) => {
    sessionStorage.setItem(TOOL_ITEM, currentTarget.value);
    for (const each of panels) each.querySelector('[data-tool]').value = currentTarget.value;
    refreshRecipes();
  });
  panel.querySelector('[data-copy]').addEventListener('click', () => void copyRecipe(panel));
}

keyInput.value = sessionStorage.getItem(KEY_ITEM) ?? '';
keyInput.addEventListener('change', () => {
  sessionStorage.setItem(KEY_ITEM, currentKey());
  refreshRecipes();
});
const tool = sessionStorage.getItem(TOOL_ITEM);
if (tool !== null) for (const panel of panels) panel.querySelector('[data-tool]').value = tool;
if (tool !== null || currentKey() !== '') refreshRecipes();
document.documentElement.dataset.ready = '';
