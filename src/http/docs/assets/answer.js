// Trying an operation: the call, and its answer as JSON, as a picture and as messages of Discord.
import { showInColours } from './colours.js';
import { readMessage } from './discord-markdown.js';
import { call, currentKey, describeFailure, describeForeignLetter, describeQuota, say } from './key.js';

const SHOWN_CHARACTERS_MAX = 20_000;
const SHOWN_MESSAGES_MAX = 20;
/** Discord shows no longer ones; a longer chunk is shown as it is. */
const DRAWN_CHARACTERS_MAX = 4096;

export function fieldsOf(form) {
  const fields = {};
  for (const control of form.elements) {
    if (control.name && control.value !== '') fields[control.name] = control.value;
  }
  return fields;
}

function callOperation(form) {
  const { method, path } = form.dataset;
  const fields = fieldsOf(form);
  const secret = form.querySelector('[data-secret]');
  const headers = secret?.value ? { [secret.dataset.secret]: secret.value.trim() } : {};
  if (method === 'GET') return call(`${path}?${new URLSearchParams(fields)}`, { headers });
  return call(path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
}

/** A long answer is shown from its beginning; an image is shown as one, chunks also as messages. */
function showAnswer(form, body) {
  const place = form.querySelector('.answer');
  const json = JSON.stringify(body, null, 2);
  const rest = json.length - SHOWN_CHARACTERS_MAX;
  const shown = rest > 0 ? `${json.slice(0, SHOWN_CHARACTERS_MAX)}\n… and ${rest} characters more` : json;
  showInColours(place, shown, 'json');
  place.hidden = false;
  form.querySelector('[data-empty]').hidden = true;
  form.answer = json;
  form.querySelector('[data-after]').hidden = false;
  showMessages(form.querySelector('.chat'), Array.isArray(body.chunks) ? body.chunks : []);
  const data = body.data_uri || (body.base64 && `data:${body.mime_type};base64,${body.base64}`);
  if (!data) return;
  const image = new Image();
  image.src = data;
  image.alt = `The image, ${body.width} by ${body.height} pixels`;
  place.prepend(image);
}

function showMessages(list, chunks) {
  list.hidden = chunks.length === 0;
  list.replaceChildren(...chunks.slice(0, SHOWN_MESSAGES_MAX).map(toMessage));
}

function toMessage(chunk) {
  const message = document.createElement('li');
  message.className = 'message bot';
  const who = document.createElement('span');
  who.className = 'who';
  const tag = document.createElement('small');
  tag.textContent = 'APP';
  who.append('Your bot ', tag);
  const said = document.createElement('div');
  said.className = 'said';
  said.append(...(chunk.length > DRAWN_CHARACTERS_MAX ? [chunk] : readMessage(chunk).map(toNode)));
  message.append(who, said);
  return message;
}

/** Texts stay texts: nothing that somebody wrote is read as HTML. */
function toNode(part) {
  if (typeof part === 'string') return part;
  const node = document.createElement(part.tag);
  for (const [name, value] of Object.entries(part.attributes)) node.setAttribute(name, value);
  node.append(...part.children.map(toNode));
  return node;
}

/** The text that a spoiler covers takes the place of the focus, for those who cannot see it appear. */
export function startSpoilers() {
  document.addEventListener('click', ({ target }) => {
    const cover = target.closest('[data-spoiler]');
    if (cover === null) return;
    const hidden = cover.nextElementSibling;
    hidden.tabIndex = -1;
    cover.remove();
    hidden.focus();
  });
}

/** Where the reader looks: beside the button, with the way to the field. */
function askForKey(output) {
  say(output, '', 'failed');
  const link = document.createElement('a');
  link.dataset.ask = '';
  link.href = '#key';
  link.textContent = 'Paste your key first.';
  output.append(link);
}

/** There is a key now. */
export function stopAskingForKey() {
  if (currentKey() === '') return;
  for (const link of document.querySelectorAll('[data-ask]')) say(link.parentElement, '', '');
}

async function tryOperation(form) {
  const output = form.querySelector('output');
  const button = form.querySelector('button[type=submit]');
  const foreign = describeForeignLetter();
  if (currentKey() === '') return askForKey(output);
  if (foreign !== null) return say(output, foreign, 'failed');
  button.disabled = true;
  say(output, 'Sending …', 'busy');
  try {
    const startedAt = performance.now();
    const { response, body } = await callOperation(form);
    const took = Math.round(performance.now() - startedAt);
    showAnswer(form, body);
    if (body.ok) say(output, `${response.status} in ${took} ms${describeQuota(response)}`, 'good');
    else say(output, describeFailure(body), 'failed');
  } catch {
    say(output, 'The service does not answer.', 'failed');
  } finally {
    button.disabled = false;
  }
}

/** @param copy takes a text, the element to select where it cannot be copied, and the output that says so */
export function startForms(copy) {
  for (const form of document.querySelectorAll('form[data-operation]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void tryOperation(form);
    });
    form
      .querySelector('[data-copy-answer]')
      .addEventListener(
        'click',
        () => void copy(form.answer, form.querySelector('.answer'), form.querySelector('output')),
      );
  }
}
