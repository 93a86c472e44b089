import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';

import { Problem } from '../../problem.ts';
import type { Endpoint } from '../exchange/endpoint.ts';
import type { HttpParts } from '../exchange/http-parts.ts';
import { refuseRequest } from '../exchange/refuse-request.ts';
import { addDocuments } from './add-documents.ts';
import type { DocumentsOptions } from './documents-options.ts';
import { prefersHtml } from './prefers-json.ts';
import { addRoute, HTML_TYPE, sendDocument } from './send-document.ts';

export interface Refusals {
  /** Answers a request that leads nowhere, with the problem that is known of it. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse, problem?: Problem) => Promise<void>;
  /** The same where the key was looked at already: it must not count twice. */
  readonly refuseMcp: (request: IncomingMessage, response: ServerResponse, problem: Problem) => Promise<void>;
}

export interface DocumentsAppOptions extends HttpParts {
  readonly endpoints: readonly Endpoint[];
  readonly documents: DocumentsOptions;
}

/** What is there to be read, and the answer for all addresses that do not exist. */
export function createDocumentsApp(
  options: DocumentsAppOptions,
  { refuse, refuseMcp }: Refusals,
): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(accompanyDocument(options));
  addRoute(app, 'POST', '/mcp', async (request, response) => {
    const { handleMcp } = await import('../mcp/mcp-handler.ts');
    const parts = { ...options, operations: options.documents.operations };
    await handleMcp(request, response, parts).catch((error: unknown) =>
      refuseMcp(request, response, Problem.from(error)),
    );
  });
  addDocuments(app, options.documents);
  app.use((request, response) => {
    // Only the star is an address for all of the service; elsewhere it must be one that exists.
    if (request.method === 'OPTIONS' && request.url === '*') return refuse(request, response);
    throw new Problem('not_found');
  });
  app.use(async (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const problem = fromExpress(error);
    if (problem.code !== 'not_found' || !isForPeople(request)) return refuse(request, response, problem);
    const { notFoundPage } = await import('./not-found-page.ts');
    const page = { type: HTML_TYPE, body: notFoundPage(request.path) };
    return sendDocument(response, page, 'no-cache', problem.status);
  });
  return app;
}

/** Whether a browser asks for a page that does not exist. Programs get the answer that they always get. */
function isForPeople({ method, path, headers }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/(?:api|health)(?:\/|$)/.test(path) && prefersHtml(headers.accept);
}

/** What documents, and refusals of /mcp, have in common with all other answers. */
function accompanyDocument(parts: HttpParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const refusal = refuseRequest(request, request.url, []);
    if (refusal !== null) throw refusal;
    const startedAt = performance.now();
    const requestId = randomUUID();
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      // Failures and calls of /mcp are recorded elsewhere: their answers have an id of their own, if there is one yet.
      if (!response.headersSent || response.getHeader('X-Request-Id') !== requestId) return;
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
