// The request of the form, as code in three languages and as a call.
import { highlight } from './highlight.js';
import { all, element } from '../dom.js';
import { currentKey, ownGuild } from '../key.js';
import { splitBoth } from '../what-went-wrong/message-or-error.js';
import { requestCode } from './request-code.js';

/**
 * What is typed, as it is sent.
 * @type {Record<string, (typed: string) => unknown>}
 */
const KINDS = {
  text: (typed) => typed,
  number: (typed) => (/^-?\d{1,15}$/.test(typed) ? Number(typed) : typed),
  list: (typed) =>
    typed
      .split(/[,;\n]/)
      .map((each) => each.trim())
      .filter((each) => each !== ''),
};

/**
 * The fields as they are sent. Those that are empty, and switches as the page shows them first, have their default.
 * @param {HTMLFormElement} form
 */
export function fieldsOf(form) {
  /** @type {Record<string, unknown>} */
  const fields = {};
  /** @type {(HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement)[]} */
  const controls = all('[data-kind]', form);
  for (const control of controls) {
    if (control instanceof HTMLInputElement && control.type === 'checkbox') {
      if (control.checked !== control.defaultChecked) fields[control.name] = control.checked;
    } else if (control.value !== '') {
      fields[control.name] = KINDS[control.dataset['kind'] ?? '']?.(control.value);
    }
  }
  /** @type {HTMLTextAreaElement | null} */
  const sharedBox = form.querySelector('[data-shared-box]');
  const both = splitBoth(sharedBox?.value ?? '');
  const [sent = '', answered = ''] = (sharedBox?.dataset['sharedBox'] ?? '').split(' ');
  if (both !== null) Object.assign(fields, { [sent]: both.message, [answered]: both.answer });
  return fields;
}

/**
 * The secret of the reader, if the operation takes one.
 * @param {HTMLFormElement} form
 * @returns {HTMLInputElement | null}
 */
export const secretOf = (form) => form.querySelector('[data-secret]');

/**
 * Fields for a server, which get the id of the reader's server as an example that works.
 * @param {HTMLFormElement} form
 */
export function fillOwnServer(form) {
  /** @type {HTMLInputElement[]} */
  const empty = all('[data-own-server]', form);
  for (const field of empty) field.value ||= ownGuild();
}

/** @param {HTMLFormElement} form */
export function startRequest(form) {
  const { method = '', url = '' } = form.dataset;
  /** @type {HTMLInputElement[]} */
  const own = all('[data-own-server]', form);
  const show = () => {
    // Without a key nothing can be sent, and the ids of the example make the request whole.
    const examples = currentKey() === '' ? own.map(({ name, placeholder }) => [name, placeholder]) : [];
    const fields = { ...Object.fromEntries(examples), ...fieldsOf(form) };
    const secret = secretOf(form);
    const isSent = secret !== null && (secret.required || secret.value !== '');
    const headers = {
      Authorization: 'QUARTERMASTER_KEY',
      ...(isSent ? { [secret.name]: secret.dataset['secret'] ?? '' } : {}),
    };
    for (const place of all('[data-request]')) {
      const language = /** @type {import('./request-code.js').Language} */ (place.dataset['request']);
      showInColours(place, requestCode(language, { method, url, fields, headers }), language);
    }
  };
  form.addEventListener('input', show);
  show();
}

/**
 * Code in colours, in the browser.
 * @param {HTMLElement} place
 * @param {string} code
 * @param {string} language
 */
export function showInColours(place, code, language) {
  place.replaceChildren(
    ...highlight(code, language).map(([kind, text]) =>
      kind === null ? text : element(`c-${kind}`, {}, text),
    ),
  );
}
