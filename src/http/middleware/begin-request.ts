import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

import { discardRest } from '../body/receive-bytes.ts';
import { readQuery } from '../body/read-fields.ts';
import type { RequestRecord } from '../locals.ts';

/** nginx's status for a caller who disconnected before the answer. It is only logged. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * The reason with which the signal aborts when a call is over. It is made only once, because an exception costs as much
 * as a small answer.
 */
const DISCONNECTED = new DOMException('The caller has left.', 'AbortError');
const ANSWERED = new DOMException('The answer has left.', 'AbortError');

/**
 * Gives a request its id, its query and the headers of every answer, and records the request when it is over.
 * @param lingerMs the rest of a request body is read for this long after its answer
 */
export function beginRequest(onRequest: (record: RequestRecord) => void, lingerMs: number): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const ending = new AbortController();
    const locals: Express.Locals = {
      requestId,
      endpoint: null,
      query: readQuery(request.url),
      body: null,
      signal: ending.signal,
      key: null,
      isKeyRead: false,
      isRateCounted: false,
      defaults: { flat: false, always200: false },
      problem: null,
    };
    response.locals = locals;
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.once('close', () => {
      if (!request.complete) void discardRest(request, lingerMs);
      ending.abort(response.writableFinished ? ANSWERED : DISCONNECTED);
      const { endpoint, key, problem } = locals;
      const sent = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
      onRequest({
        requestId,
        method: request.method,
        endpoint,
        key,
        status: problem?.status ?? sent,
        problem,
        durationMs: performance.now() - startedAt,
      });
    });
    next();
  };
}
