import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { Problem } from '../../kernel/problem.ts';
import { bodyBroken, markBodyBroken } from '../body/receive-bytes.ts';
import { problemBody, problemHeaders } from '../answer/problem-body.ts';
import { PROBLEM_TYPE } from '../answer/write-json.ts';
import { latestResponse } from './responses-of.ts';

/** Called for each answer to data that Node's parser rejected. */
export type OnRefused = (problem: Problem, requestId: string) => void;

const unreadable = new WeakSet<Duplex>();

/**
 * Answers what Node's parser could not read, in place of Node's own empty answers. All earlier requests on the
 * connection get their answers first.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, onRefused: OnRefused): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // The parser fails again on all later bytes.
  if (unreadable.has(socket)) return;
  unreadable.add(socket);
  const latest = latestResponse(socket);
  const refuse = () => {
    if (socket.writable) refuseConnection(socket, toProblem(error), onRefused);
  };
  if (latest === null || latest.writableFinished) {
    if (latest === null || latest.req.complete) refuse();
    else socket.destroy();
  } else if (latest.req.complete) {
    latest.once('finish', refuse);
  } else {
    // The body of this request could not be read.
    latest.shouldKeepAlive = false;
    latest.once('finish', () => socket.end());
    if (!latest.headersSent) markBodyBroken(latest.req, toBodyProblem(error));
  }
}

/** Writes an answer without a request, and closes the connection. */
export function refuseConnection(
  socket: Duplex,
  problem: Problem,
  onRefused: OnRefused,
  extra: Readonly<Record<string, string>> = {},
): void {
  const requestId = randomUUID();
  onRefused(problem, requestId);
  const json = JSON.stringify(problemBody(problem, requestId));
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    ...problemHeaders(problem),
    ...extra,
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': String(Buffer.byteLength(json)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const reason = STATUS_CODES[problem.status] ?? '';
  socket.end(`HTTP/1.1 ${problem.status} ${reason}\r\n${head.join('')}\r\n${json}`, () => socket.destroy());
}

/** The headers of this request were read; its body was not. */
function toBodyProblem(error: NodeJS.ErrnoException): Problem {
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? new Problem('request_timeout') : bodyBroken();
}

function toProblem(error: NodeJS.ErrnoException): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('body_too_large');
    default:
      return new Problem('bad_request/http', { cause: error.code });
  }
}
