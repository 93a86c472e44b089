// Callers with images to fit, until they are stopped. Argument: where to call, as JSON.
import { endWithParent } from './bench-server.ts';
import { applyLoad } from './load.ts';

export interface Calls {
  readonly port: number;
  readonly keys: readonly string[];
  readonly callers: number;
  /** Address of the image. */
  readonly url: string;
}

export interface Called {
  readonly seconds: number;
  /** Answers by status. */
  readonly statuses: readonly (readonly [status: number, count: number])[];
}

const { callers, url, ...server } = JSON.parse(process.argv[2] ?? '{}') as Calls;
const stop = new AbortController();
process.once('message', () => stop.abort());
endWithParent();
process.send?.('started');
const { seconds, statuses } = await applyLoad({
  ...server,
  connections: callers,
  requests: Infinity,
  body: () => JSON.stringify({ url, for: 'emoji', fit: true }),
  signal: stop.signal,
});
process.send?.({ seconds, statuses: [...statuses] } satisfies Called);
process.disconnect();
