// Trying an operation: the call, and its answer as parts, as JSON, as a picture and as Discord messages.
import { all, draw, element, one, say } from '../dom.js';
import { call, describeWrongLetter, describeQuota } from '../call.js';
import { currentKey, isFlatKey } from '../key.js';
import { partCard, partsOf } from './parts.js';
import { fieldsOf, secretOf, showInColours } from './request.js';

/** Characters of JSON that are shown in colours. */
const SHOWN_CHARACTERS_MAX = 20_000;
/** Messages that are drawn. A text may have thousands. */
const SHOWN_MESSAGES_MAX = 20;
/** The longest message of Discord. A longer chunk is shown as plain text. */
const DRAWN_CHARACTERS_MAX = 4096;
/** The id of the sentence below a field. */
const REFUSAL = 'refusal';

const outcome = one('.code-panel output');
const cards = one('[data-cards]');

/** @param {HTMLFormElement} form */
function callOperation(form) {
  const { method = '', path = '' } = form.dataset;
  const fields = fieldsOf(form);
  const secret = secretOf(form);
  /** @type {Record<string, string>} */
  const headers = secret?.value ? { [secret.name]: secret.value.trim() } : {};
  // Keys of some builders have flat answers by default, which have no lists to show.
  const url = `${path.replace('../', '')}?flat=false`;
  if (method === 'GET') {
    const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
    return call(`${url}&${new URLSearchParams(texts)}`, { headers });
  }
  return call(url, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
}

/** A long answer is shown from its beginning. @param {import('../call.js').Body} body */
async function showAnswer(body) {
  const json = JSON.stringify(body, null, 2);
  const rest = json.length - SHOWN_CHARACTERS_MAX;
  const shown = rest > 0 ? `${json.slice(0, SHOWN_CHARACTERS_MAX)}\n… and ${rest} characters more` : json;
  showInColours(one('[data-answer]'), shown, 'json');
  const parts = partsOf(JSON.parse(cards.dataset['cards'] ?? '[]'), body);
  one('ul', cards).replaceChildren(...parts.map((part) => draw(partCard(part, undefined, whyNone(part)))));
  showPicture(body);
  await showFindings(body);
  await showMessages('chunks' in body && Array.isArray(body['chunks']) ? body['chunks'] : []);
}

/**
 * What the table of the answer says of a key without a value, where something was typed.
 * @param {import('./parts.js').Part} part
 */
function whyNone({ key, displayText, isNone }) {
  if (!isNone || displayText === 'nothing') return '';
  const row = all('#answer tbody tr').find((each) => one('th', each).textContent === key);
  return row?.lastElementChild?.textContent ?? '';
}

/** @param {Readonly<Record<string, unknown>>} body */
function showPicture(body) {
  const parts = partsOf(['data_uri', 'base64', 'mime_type', 'width', 'height'], body);
  const [uri, base64, type, width, height] = parts.map(({ displayText, isNone }) =>
    isNone ? '' : displayText,
  );
  const src = uri || (base64 && `data:${type};base64,${base64}`);
  const alt = `The image, ${width} by ${height} pixels`;
  one('[data-picture]', cards).replaceChildren(...(src ? [element('img', { src, alt })] : []));
}

/** Readers copy the repaired message, so it is shown whole. @param {import('../call.js').Body} body */
async function showFindings(body) {
  /** @type {HTMLElement | null} */
  const place = cards.querySelector('[data-findings]');
  if (place === null) return;
  const { findingTables } = await import('./findings.js');
  place.replaceChildren(...findingTables(JSON.parse(place.dataset['findings'] ?? '{}'), body).map(draw));
  const repaired = one('[data-repaired]', cards);
  const value = Object.entries(body).find(([key]) => key === repaired.dataset['repaired'])?.[1] ?? null;
  repaired.hidden = value === null;
  const json = JSON.stringify(value, null, 2);
  if (json.length > SHOWN_CHARACTERS_MAX) one('code', repaired).textContent = json;
  else showInColours(one('code', repaired), json, 'json');
}

/** @param {string[]} chunks */
async function showMessages(chunks) {
  const list = one('[data-messages]', cards);
  list.hidden = chunks.length === 0;
  if (chunks.length === 0) return;
  const { readMessage } = await import('./discord-markdown.js');
  list.replaceChildren(
    ...chunks.slice(0, SHOWN_MESSAGES_MAX).map((chunk) => {
      const parts = chunk.length > DRAWN_CHARACTERS_MAX ? [chunk] : readMessage(chunk).map(draw);
      return element('li', { class: 'bot' }, element('div', { class: 'message-text' }, ...parts));
    }),
  );
}

/** The text under a spoiler gets the focus, for people who cannot see it appear. */
function startSpoilers() {
  document.addEventListener('click', ({ target }) => {
    const cover = target instanceof Element ? target.closest('[data-spoiler]') : null;
    const hidden = cover?.nextElementSibling;
    if (!(hidden instanceof HTMLElement)) return;
    hidden.tabIndex = -1;
    cover?.remove();
    hidden.focus();
  });
}

/**
 * Shows at the field why the call was refused, and moves the focus there.
 * @param {HTMLFormElement} form
 * @param {string} field
 * @param {string} text
 */
function showRefusal(form, field, text) {
  // A box for two fields has the name of one of them.
  const wrong =
    form.elements.namedItem(field) ?? form.querySelector(`[data-shared-box~="${CSS.escape(field)}"]`);
  if (!(wrong instanceof HTMLElement)) return;
  const place = wrong.closest('.tick') ?? wrong;
  place.after(element('p', { id: REFUSAL, class: 'refusal' }, text));
  wrong.setAttribute('aria-invalid', 'true');
  wrong.setAttribute('aria-describedby', `${REFUSAL} ${wrong.getAttribute('aria-describedby') ?? ''}`);
  const closed = wrong.closest('details');
  if (closed) closed.open = true;
  wrong.focus({ preventScroll: true });
  (wrong.closest('.field') ?? place).scrollIntoView({ block: 'nearest' });
}

/** @param {HTMLFormElement} form */
function clearRefusal(form) {
  document.getElementById(REFUSAL)?.remove();
  for (const control of all('[aria-invalid]', form)) {
    control.removeAttribute('aria-invalid');
    const described = control.getAttribute('aria-describedby') ?? '';
    control.setAttribute('aria-describedby', described.replace(`${REFUSAL} `, ''));
  }
}

/**
 * Links to the place below that explains the answer, if there is one.
 * @param {string} id
 * @param {string} text
 */
function linkBelow(id, text) {
  const why = one('[data-why]');
  why.hidden = document.getElementById(id) === null;
  /** @type {HTMLAnchorElement} */
  const link = one('a', why);
  link.href = `#${id}`;
  link.textContent = text;
}

/** @param {HTMLFormElement} form */
async function send(form) {
  /** @type {HTMLButtonElement} */
  const button = one('[type=submit]', form);
  clearRefusal(form);
  if (currentKey() === '') return say(outcome, 'There is no key yet: paste yours first.', 'failed');
  const wrongLetter = describeWrongLetter();
  if (wrongLetter !== null) return say(outcome, wrongLetter, 'failed');
  button.disabled = true;
  say(outcome, 'Sending …', 'busy');
  try {
    const startedAt = performance.now();
    const { response, body } = await callOperation(form);
    const took = Math.round(performance.now() - startedAt);
    await showAnswer(body);
    const said = body.ok
      ? [response.status, `${took} ms`, describeQuota(response), isFlatKey() && 'your bot gets it flat']
      : [body.status, body.code, body.error];
    say(outcome, said.filter(Boolean).join(' · '), body.ok ? 'good' : 'failed');
    if (!body.ok) linkBelow(body.code, `What ${body.code} means and what to do`);
    else linkBelow(isFlatKey() ? 'flat' : '', 'Flat, as your bot gets it');
    if (!body.ok && body.field !== null)
      showRefusal(form, body.field, [body.error, body.hint].filter(Boolean).join(' '));
  } catch {
    say(outcome, 'The service does not answer.', 'failed');
  } finally {
    button.disabled = false;
  }
}

/** @param {HTMLFormElement} form */
export function startAnswer(form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  form.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
    if (key === 'Enter' && (ctrlKey || metaKey)) form.requestSubmit();
  });
  form.addEventListener('input', ({ target }) => {
    if (target instanceof Element && target.hasAttribute('aria-invalid')) clearRefusal(form);
  });
  startSpoilers();
}
