import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** By connection, in the order of the requests: the responses that are not fully sent, and the latest one. */
const noted = new WeakMap<Duplex, readonly ServerResponse[]>();

/** Notes the response to the latest request of its connection. */
export function noteResponse(response: ServerResponse): void {
  const { socket } = response.req;
  const before = noted.get(socket);
  // Answers leave in the order of their requests. Only a caller who does not wait for them has several.
  const isAlone = before === undefined || before.at(-1)?.writableFinished === true;
  noted.set(socket, isAlone ? [response] : [...before.filter((each) => !each.writableFinished), response]);
}

/** The response to the latest request of a connection. */
export function latestResponse(socket: Duplex): ServerResponse | null {
  return noted.get(socket)?.at(-1) ?? null;
}

/** The response whose turn it is on a connection, until all of it is written. */
export function responseUnderWay(socket: Duplex): ServerResponse | null {
  const next = noted.get(socket)?.find((each) => !each.writableFinished);
  return next === undefined || next.writableEnded ? null : next;
}
