import type { Endpoint } from '../exchange/endpoint.ts';

/** A proxy may send the whole address in the request line (RFC 9112, 3.2.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The endpoints by path. As in most of the web's routers, case and one slash at the end make no difference. */
export class EndpointMap {
  readonly #endpoints = new Map<string, Endpoint>();

  constructor(endpoints: Iterable<Endpoint>) {
    for (const endpoint of endpoints) this.#endpoints.set(endpoint.path.toLowerCase(), endpoint);
  }

  /** @param url as in the request line */
  find(url: string): Endpoint | undefined {
    const local = url.startsWith('/') ? url : url.replace(ORIGIN, '');
    const end = local.search(/[?#]/);
    const path = (end === -1 ? local : local.slice(0, end)).toLowerCase();
    return this.#endpoints.get(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
  }
}
