import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { LatePart } from '../late-part.ts';
import { Problem } from '../problem.ts';
import type { DocumentsOptions } from './docs/documents-options.ts';
import { WITHOUT_BODY, type Endpoint } from './exchange/endpoint.ts';
import { Exchange } from './exchange/exchange.ts';
import { EndpointMap } from './endpoints/endpoint-map.ts';
import { healthEndpoints, type Readiness } from './endpoints/health-endpoints.ts';
import type { HttpParts } from './exchange/http-parts.ts';

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

/** Answers for addresses that lead nowhere, and for everything that fails outside of an endpoint. */
const NOWHERE: Endpoint = {
  ...WITHOUT_BODY,
  name: null,
  path: '*',
  methods: [],
  key: 'welcome',
  bucket: 'guild',
  handle: () => Promise.reject(new Problem('not_found')),
};

/** For messages of the Model Context Protocol that are refused whole. */
const MCP: Endpoint = { ...NOWHERE, name: 'mcp', key: 'ignored' };

/**
 * The HTTP shell: operations, health and documents, and one shape for every failure. What answers in JSON is found in
 * one map, however its path is spelled. Express routes the documents and nothing else. It is loaded when somebody asks
 * for the first of them: most processes only answer bots.
 */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const serve = (endpoint: Endpoint, request: IncomingMessage, response: ServerResponse, problem?: Problem) =>
    new Exchange(request, response, endpoint, options).serve(problem);
  const endpoints = new EndpointMap([...options.endpoints, ...healthEndpoints(options.readiness)]);
  const refuse = (request: IncomingMessage, response: ServerResponse, problem?: Problem) =>
    serve(NOWHERE, request, response, problem);

  const documents = new LatePart<RequestListener>(async () => {
    const { createDocumentsApp } = await import('./docs/documents-app.ts');
    return createDocumentsApp(options, { refuse, refuseMcp: (...refused) => serve(MCP, ...refused) });
  });
  const readDocument = async (request: IncomingMessage, response: ServerResponse) =>
    (await documents.get())(request, response);
  return {
    listener(request, response) {
      const endpoint = endpoints.find(request.url ?? '/');
      if (endpoint !== undefined) void serve(endpoint, request, response);
      else
        readDocument(request, response).catch((error: unknown) =>
          refuse(request, response, Problem.from(error)),
        );
    },
    refuse: (request, response, problem) => void refuse(request, response, problem),
  };
}
