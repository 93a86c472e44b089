import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The responses of each connection that are not fully sent, and its latest one, in the order of the requests. */
const noted = new WeakMap<Duplex, readonly ServerResponse[]>();

/** Notes the response to the latest request of its connection. */
export function recordResponse(response: ServerResponse): void {
  const { socket } = response.req;
  const before = noted.get(socket);
  // Answers leave in the order of their requests. There are several only when the caller pipelines requests.
  const isAlone = before === undefined || before.at(-1)?.writableFinished === true;
  noted.set(socket, isAlone ? [response] : [...before.filter((each) => !each.writableFinished), response]);
}

/** The response to the latest request of a connection. */
export function latestResponse(socket: Duplex): ServerResponse | null {
  return noted.get(socket)?.at(-1) ?? null;
}

/** The response that a connection is sending, until all of it is written. */
export function responseUnderWay(socket: Duplex): ServerResponse | null {
  const next = noted.get(socket)?.find((each) => !each.writableFinished);
  return next === undefined || next.writableEnded ? null : next;
}
