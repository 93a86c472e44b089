// Calls of the API with the reader's key.
import { root } from './dom.js';
import { currentKey } from './key.js';

/**
 * @typedef {{ ok: false, status: number, code: string, error: string, hint: string | null, field: string | null }} Problem
 * @typedef {Problem | ({ ok: true } & Readonly<Record<string, unknown>>)} Body
 */

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
