import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';

import { Problem } from '../problem.ts';
import { addDocuments } from './docs/add-documents.ts';
import type { DocumentsOptions } from './docs/documents-options.ts';
import { WITHOUT_BODY, type Endpoint } from './exchange/endpoint.ts';
import { Exchange } from './exchange/exchange.ts';
import { EndpointMap } from './endpoints/endpoint-map.ts';
import { healthEndpoints, type Readiness } from './endpoints/health-endpoints.ts';
import type { HttpParts } from './exchange/http-parts.ts';
import { refuseRequest } from './exchange/refuse-request.ts';

export interface HttpAppOptions extends HttpParts {
  readonly endpoints: readonly Endpoint[];
  readonly documents: DocumentsOptions;
  readonly readiness: () => Promise<Readiness>;
}

export interface HttpApp {
  readonly listener: RequestListener;
  /** Answers a request that must not be looked at any further. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse, problem: Problem) => void;
}

/** Answers for addresses that are none, and for whatever fails outside of an endpoint. */
const NOWHERE: Endpoint = {
  ...WITHOUT_BODY,
  name: null,
  path: '*',
  methods: [],
  key: 'welcome',
  bucket: 'guild',
  handle: () => Promise.reject(new Problem('not_found')),
};

/**
 * The HTTP shell: operations, health and documents, and one shape for every failure. What answers in JSON is found in
 * one map, however its path is spelt; Express routes what is there to be read, and nothing else.
 */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const serve = (endpoint: Endpoint, request: IncomingMessage, response: ServerResponse, problem?: Problem) =>
    new Exchange(request, response, endpoint, options).serve(problem);

  const endpoints = new EndpointMap([...options.endpoints, ...healthEndpoints(options.readiness)]);
  app.use(accompanyDocument(options));
  addDocuments(app, options.documents);
  app.use((request, response) => {
    // Only the star is an address for all of the service; elsewhere it must be one that exists.
    const isStar = request.method === 'OPTIONS' && request.url === '*';
    return serve(NOWHERE, request, response, isStar ? undefined : new Problem('not_found'));
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    serve(NOWHERE, request, response, fromExpress(error)),
  );
  return {
    listener(request, response) {
      const endpoint = endpoints.find(request.url ?? '/');
      if (endpoint === undefined) app(request, response);
      else void serve(endpoint, request, response);
    },
    refuse: (request, response, problem) => void serve(NOWHERE, request, response, problem),
  };
}

/** What documents have in common with all other answers. */
function accompanyDocument(parts: HttpParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const refusal = refuseRequest(request, request.url, []);
    if (refusal !== null) throw refusal;
    const startedAt = performance.now();
    const requestId = randomUUID();
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      // Failures, which have another id, have told of themselves.
      if (response.getHeader('X-Request-Id') !== requestId || response.statusCode >= 400) return;
      parts.onRequest({
        requestId,
        operation: 'documents',
        key: null,
        status: response.statusCode,
        code: null,
        cause: undefined,
        durationMs: performance.now() - startedAt,
      });
    });
    next();
  };
}

/** Express throws what it cannot decode as errors with a status of 4xx. */
function fromExpress(error: unknown): Problem {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  const isTheirs = !(error instanceof Problem) && status >= 400 && status < 500;
  return isTheirs ? new Problem('bad_request', { cause: error }) : Problem.from(error);
}
