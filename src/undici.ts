import type { Dispatcher } from 'undici';
import requestOf from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';

// The index of the package loads its fetch, WebSocket, caches and mocks along, which nobody here uses: 11 MiB of a
// process and a tenth of its start.
export { Agent, buildConnector };

type RequestOptions = Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'signal'>;

/** One request through `dispatcher`. The deadline of its headers is that of the dispatcher. */
export function request(
  dispatcher: Dispatcher,
  url: string,
  options: RequestOptions,
): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url);
  return requestOf.call(dispatcher, { ...options, origin, path: `${pathname}${search}` });
}
