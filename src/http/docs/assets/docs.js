// The page of the builder and the key, to which old links lead as well.
import { showKey } from './copy.js';
import { one, openTarget, say } from './dom.js';
import { checkKey, tidyKey } from './key-check.js';
import { currentKey, forgetKey, keepKey } from './key.js';
import { startBuilder } from './builder.js';

const form = one('[data-key-form]');
/** @type {HTMLInputElement} */
const input = one('input', form);
const output = one('output', form);
const forget = one('[data-forget]', form);

/** The new places of sections that other pages had. Sections that are not listed are still on this page. */
const MOVED = new Map([
  ['invite', 'docs/permission-encoder#invite'],
  ['send-look', 'docs/send#answer'],
  ['revoke-key', 'docs/api#your-key'],
  ['live', 'status'],
  ['ready', 'status'],
]);

function followOldLink() {
  const name = location.hash.slice(1);
  const line = document.getElementById(name)?.closest('.operations > li')?.querySelector('a');
  const url = MOVED.get(name) ?? line?.getAttribute('href');
  if (url) location.replace(url);
}

function show() {
  input.value = currentKey();
  forget.hidden = currentKey() === '';
  showKey();
}

async function check() {
  keepKey(tidyKey(input.value));
  show();
  say(output, 'Checking …', 'busy');
  const { isGood, text } = await checkKey();
  say(output, text, isGood ? 'good' : 'failed');
  input.setAttribute('aria-invalid', String(!isGood));
  if (!isGood) input.focus();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void check();
});
forget.addEventListener('click', () => {
  forgetKey();
  show();
  say(output, 'Forgotten.', 'good');
});
show();
startBuilder();
followOldLink();
openTarget();
addEventListener('hashchange', followOldLink);
addEventListener('hashchange', openTarget);
document.documentElement.dataset['ready'] = '';
