// The key is kept in this tab's session storage and put into calls and copied recipes. It goes to no other host.
const KEY_ITEM = 'quartermaster-key';
const GUILD_ITEM = 'quartermaster-guild';

const keyForm = document.querySelector('[data-key-form]');
const keyInput = document.getElementById('key-input');
const keyOutput = keyForm.querySelector('output');

export const currentKey = () => keyInput.value;

/** A key is pasted with `Bearer` before it, with quotes, or with the whole line of a header. */
function tidyKey() {
  const pasted = keyInput.value.trim();
  keyInput.value = /(?<!\w)qm_\w+/.exec(pasted)?.[0] ?? pasted.replace(/^bearer\s+/i, '');
}

/** Fields that take the server: there its id is an example that works. */
function fillOwnServer() {
  const guildId = sessionStorage.getItem(GUILD_ITEM) ?? '';
  for (const field of document.querySelectorAll('[data-own-server]')) field.value ||= guildId;
}

export function say(output, text, state) {
  output.textContent = text;
  output.dataset.state = state;
}

/** Says why a pasted key cannot work; null when it can be sent. */
export function describeForeignLetter() {
  const foreign = /[^\w-]/u.exec(currentKey())?.[0];
  if (foreign === undefined) return null;
  return `“${foreign}” is in no key. Copy the key again, without anything around it.`;
}

export async function call(path, init = {}) {
  const response = await fetch(path, { ...init, headers: { Authorization: currentKey(), ...init.headers } });
  return { response, body: await response.json() };
}

export function describeFailure(body) {
  return [`${body.status} ${body.code}: ${body.error}`, body.hint].filter(Boolean).join(' ');
}

/** The calls that are left, from the header `RateLimit`. */
export function describeQuota(response) {
  const left = /r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1];
  return left === undefined ? '' : `, ${left} calls left this minute`;
}

async function checkKey() {
  sessionStorage.setItem(KEY_ITEM, currentKey());
  const foreign = describeForeignLetter();
  if (foreign !== null) {
    say(keyOutput, foreign, 'failed');
    return;
  }
  say(keyOutput, 'Checking …', 'busy');
  try {
    const { response, body } = await call('api/key');
    if (!body.ok) {
      say(keyOutput, describeFailure(body), 'failed');
      return;
    }
    sessionStorage.setItem(GUILD_ITEM, body.guild_id ?? '');
    fillOwnServer();
    const server = body.guild_id === null ? 'no server' : `server ${body.guild_id}`;
    say(keyOutput, `“${body.name}” of ${server} works${describeQuota(response)}.`, 'good');
  } catch {
    say(keyOutput, 'The service does not answer.', 'failed');
  }
}

/** @param onChange called when there is another key, or none any more */
export function startKey(onChange) {
  keyInput.value = sessionStorage.getItem(KEY_ITEM) ?? '';
  fillOwnServer();
  keyForm.addEventListener('submit', (event) => {
    event.preventDefault();
    tidyKey();
    onChange();
    void checkKey();
  });
  keyInput.addEventListener('change', () => {
    tidyKey();
    sessionStorage.setItem(KEY_ITEM, currentKey());
    onChange();
  });
  keyForm.querySelector('[data-show]').addEventListener('click', ({ currentTarget }) => {
    const isShown = keyInput.type === 'text';
    keyInput.type = isShown ? 'password' : 'text';
    currentTarget.setAttribute('aria-pressed', String(!isShown));
    currentTarget.textContent = isShown ? 'Show' : 'Hide';
  });
  keyForm.querySelector('[data-forget]').addEventListener('click', () => {
    sessionStorage.removeItem(KEY_ITEM);
    sessionStorage.removeItem(GUILD_ITEM);
    keyInput.value = '';
    say(keyOutput, 'Forgotten.', 'good');
    onChange();
  });
}
