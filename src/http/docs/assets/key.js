// The key is kept in this tab's session storage and put into calls and copied recipes. It goes to no other host.
const KEY_ITEM = 'quartermaster-key';
const NAME_ITEM = 'quartermaster-key-name';
const GUILD_ITEM = 'quartermaster-guild';

/**
 * @typedef {{ ok: false, status: number, code: string, error: string, hint: string | null, field: string | null }} Problem
 * @typedef {Problem | ({ ok: true } & Readonly<Record<string, unknown>>)} Body
 */

const root = document.documentElement.dataset['root'] ?? '';

export const currentKey = () => sessionStorage.getItem(KEY_ITEM) ?? '';
export const ownGuild = () => sessionStorage.getItem(GUILD_ITEM) ?? '';

/** The public part is enough to tell one key from another. */
export const maskedKey = () => (currentKey() === '' ? '' : `${currentKey().slice(0, 6)}…`);

/**
 * A key is pasted with `Bearer` before it, with quotes, or with the whole line of a header.
 * @param {string} pasted
 */
export function tidyKey(pasted) {
  const text = pasted.trim();
  return /(?<!\w)qm_\w+/.exec(text)?.[0] ?? text.replace(/^bearer\s+/i, '');
}

/** @param {string} key */
export function keepKey(key) {
  if (key === currentKey()) return;
  forgetKey();
  sessionStorage.setItem(KEY_ITEM, key);
}

export function forgetKey() {
  for (const item of [KEY_ITEM, NAME_ITEM, GUILD_ITEM]) sessionStorage.removeItem(item);
}

/** Says whose key calls are sent with. */
export function describeKey() {
  if (currentKey() === '') return 'You have no key here yet: paste one to get live answers.';
  const name = sessionStorage.getItem(NAME_ITEM);
  return name === null ? `Sent with the key ${maskedKey()}` : `Sent with ${maskedKey()}, the key “${name}”.`;
}

/** Says why a key cannot work; null when it can be sent. */
export function describeForeignLetter() {
  const foreign = /[^\w-]/u.exec(currentKey())?.[0];
  if (foreign === undefined) return null;
  return `“${foreign}” is in no key. Copy the key again, without anything around it.`;
}

/**
 * @param {string} address relative to the start
 * @param {RequestInit} [init]
 */
export async function call(address, init = {}) {
  const headers = new Headers(init.headers);
  headers.set('Authorization', currentKey());
  const response = await fetch(root + address, { ...init, headers });
  /** @type {Body} */
  const body = await response.json();
  return { response, body };
}

/** @param {Problem} problem */
export function describeFailure({ status, code, error, hint }) {
  return [`${status} ${code}: ${error}`, hint].filter(Boolean).join(' ');
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
 * Asks the service about the key and keeps its name and its server.
 * @returns {Promise<{ isGood: boolean, text: string }>}
 */
export async function checkKey() {
  const foreign = describeForeignLetter();
  if (foreign !== null) return { isGood: false, text: foreign };
  try {
    const { response, body } = await call('api/key');
    if (!body.ok) return { isGood: false, text: describeFailure(body) };
    const { name, guild_id: guildId } = /** @type {{ name: string, guild_id: string | null }} */ (
      /** @type {unknown} */ (body)
    );
    sessionStorage.setItem(NAME_ITEM, name);
    sessionStorage.setItem(GUILD_ITEM, guildId ?? '');
    const server = guildId === null ? 'no server' : `server ${guildId}`;
    return { isGood: true, text: `“${name}” of ${server} works; ${describeQuota(response)}.` };
  } catch {
    return { isGood: false, text: 'The service does not answer.' };
  }
}
