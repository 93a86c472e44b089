// Files of undici that have no types of their own. Each is one default export, as in JavaScript.
/* oxlint-disable import/no-default-export */
declare module 'undici-8/lib/dispatcher/agent.js' {
  import { Agent } from 'undici-8';
  export default Agent;
}

declare module 'undici-8/lib/core/connect.js' {
  import { buildConnector } from 'undici-8';
  export default buildConnector;
}

declare module 'undici-8/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici-8';
  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
}
