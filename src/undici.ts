import type { Dispatcher } from 'undici-8';
import requestOf from 'undici-8/lib/api/api-request.js';
import buildConnector from 'undici-8/lib/core/connect.js';
import Agent from 'undici-8/lib/dispatcher/agent.js';

// The package has a name of its own here, so that discord.js and @discordjs/rest share the older one that they ask for.
// With ours under that name, npm installs theirs twice, and a process loads both: 4 MiB.
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
