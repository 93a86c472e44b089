// Calls of the API with the reader's key.
import { root } from './dom.js';
import { currentKey, keepOwner } from './key.js';

/**
 * @typedef {{ ok: false, status: number, code: string, error: string, hint: string | null, field: string | null }} Problem
 * @typedef {Problem | ({ ok: true } & Readonly<Record<string, unknown>>)} Body
 */

/**
 * A key is pasted with `Bearer` before it, with quotes, or with the whole line of a header.
 * @param {string} pasted
 */
export function tidyKey(pasted) {
  const text = pasted.trim();
  return /(?<!\w)qm_\w+/.exec(text)?.[0] ?? text.replace(/^bearer\s+/i, '');
}

/** Describes a character that no key has; null when the key can be sent. */
export function describeWrongLetter() {
  const wrongLetter = /[^\w-]/u.exec(currentKey())?.[0];
  if (wrongLetter === undefined) return null;
  return `“${wrongLetter}” cannot be in a key. Copy the key again, without anything around it.`;
}

/**
 * @param {string} path relative to the start page
 * @param {RequestInit} [init]
 */
export async function call(path, init = {}) {
  const headers = new Headers(init.headers);
  headers.set('Authorization', currentKey());
  const response = await fetch(root + path, { ...init, headers });
  /** @type {Body} */
  const body = await response.json();
  return { response, body };
}

/**
 * The calls that are left, from the header `RateLimit`.
 * @param {Response} response
 */
export function describeQuota(response) {
  const left = /r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1];
  return left === undefined ? '' : `${left} calls left this minute`;
}

/**
 * Asks the service about the key and keeps its name and its server. Keys of some builders have flat answers by default.
 * @returns {Promise<{ isGood: boolean, text: string }>}
 */
export async function checkKey() {
  const wrongLetter = describeWrongLetter();
  if (wrongLetter !== null) return { isGood: false, text: wrongLetter };
  try {
    const { response, body } = await call('api/key?flat=false');
    if (!body.ok)
      return { isGood: false, text: `${body.status} ${body.code}: ${body.error} ${body.hint ?? ''}` };
    const {
      name,
      guild_id: guildId,
      operations,
    } = /** @type {{ name: string, guild_id: string | null, operations: string[] | null }} */ (
      /** @type {unknown} */ (body)
    );
    keepOwner(name, guildId);
    const works = guildId === null ? 'works (a key of no server)' : `of server ${guildId} works`;
    const may = operations === null ? '' : ` It may only call ${operations.join(', ')}.`;
    return { isGood: true, text: `“${name}” ${works}; ${describeQuota(response)}.${may}` };
  } catch {
    return { isGood: false, text: 'The service does not answer.' };
  }
}
