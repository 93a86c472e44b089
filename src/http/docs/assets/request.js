// What Send would send, as code in three languages and as a call.
import { showInColours } from './show-code.js';
import { all } from './dom.js';
import { ownGuild } from './key.js';
import { requestCode } from './request-code.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */

/**
 * The fields as they are sent; what is as it was is left out where that is the default.
 * @param {HTMLFormElement} form
 * @returns {Record<string, unknown>}
 */
export function fieldsOf(form) {
  /** @type {Record<string, unknown>} */
  const fields = {};
  /** @type {Control[]} */
  const controls = all('[data-kind]', form);
  for (const control of controls) {
    const value = valueOf(control);
    if (value !== undefined) fields[control.name] = value;
  }
  return fields;
}

/** @param {Control} control */
function valueOf(control) {
  const { value } = control;
  if (control instanceof HTMLInputElement && control.type === 'checkbox') {
    return control.checked === control.defaultChecked ? undefined : control.checked;
  }
  if (value === '') return undefined;
  const kind = control.dataset['kind'];
  if (kind === 'number' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (kind === 'list') return value.split(/\s*[,;\n]\s*/).filter((each) => each !== '');
  return value;
}

/**
 * The secret of the reader, if the operation takes one.
 * @param {HTMLFormElement} form
 * @returns {HTMLInputElement | null}
 */
export const secretOf = (form) => form.querySelector('[data-secret]');

/**
 * Fields that take the server: there its id is an example that works.
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
  const show = () => {
    const secret = secretOf(form);
    const isSent = secret !== null && (secret.required || secret.value !== '');
    const headers = {
      Authorization: 'QUARTERMASTER_KEY',
      ...(isSent ? { [secret.dataset['secret'] ?? '']: secret.dataset['variable'] ?? '' } : {}),
    };
    for (const place of all('[data-request]')) {
      const language = /** @type {import('./request-code.js').Language} */ (place.dataset['request']);
      showInColours(place, requestCode(language, { method, url, fields: fieldsOf(form), headers }), language);
    }
  };
  form.addEventListener('input', show);
  show();
}
