import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The responses of each connection that are not fully sent, and its latest one, in the order of the requests. */
const responses = new WeakMap<Duplex, readonly ServerResponse[]>();

/** Records the response to the latest request of its connection. */
export function recordResponse(response: ServerResponse): void {
  const { socket } = response.req;
  const before = responses.get(socket);
  // Answers leave in the order of their requests. There are several only when the caller pipelines requests.
  const isAlone = before === undefined || before.at(-1)?.writableFinished === true;
  responses.set(
    socket,
    isAlone ? [response] : [...before.filter((each) => !each.writableFinished), response],
  );
}

/** The response to the latest request of a connection. */
export function latestResponse(socket: Duplex): ServerResponse | null {
  return responses.get(socket)?.at(-1) ?? null;
}

/** The response that a connection is sending, until all of it is written. */
export function pendingResponse(socket: Duplex): ServerResponse | null {
  const next = responses.get(socket)?.find((each) => !each.writableFinished);
  return next === undefined || next.writableEnded ? null : next;
}
