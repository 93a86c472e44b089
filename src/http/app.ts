import express, { type Express, type Request, type Response } from 'express';

import { Problem } from '../problem.ts';
import { addRoutesTo } from './add-routes.ts';
import { answerWith } from './answer/write-answer.ts';
import { addDocuments } from './docs/add-documents.ts';
import type { DocumentsOptions } from './docs/documents-options.ts';
import { showMissingPage } from './docs/show-missing-page.ts';
import { answerLive, answerReady } from './endpoints/health.ts';
import { describeKey, revokeKey, type KeyEndpointOptions } from './endpoints/key.ts';
import { callOperation, type Collaborators } from './endpoints/operation.ts';
import { answerMcp, MCP_BODY } from './mcp/answer-mcp.ts';
import { admit, admitRefused, identify, identifyUrgently, type AdmitOptions } from './middleware/admit.ts';
import { beginRequest, type BeginOptions } from './middleware/begin-request.ts';
import { checkRequest, refuseWhileStopping, type StoppingOptions } from './middleware/check-request.ts';
import { readBody, readRefusedBody, type BodyOptions } from './middleware/read-body.ts';
import { writeProblem, type ProblemOptions } from './middleware/write-problem.ts';

export interface HttpAppOptions
  extends
    BeginOptions,
    StoppingOptions,
    AdmitOptions,
    BodyOptions,
    ProblemOptions,
    KeyEndpointOptions,
    DocumentsOptions {
  readonly collaborators: Collaborators;
  /** Proxies in front of us to believe: none, this number of them, or those at these addresses. */
  readonly trustProxy: false | number | readonly string[];
}

/** The HTTP shell: health, operations and documents, and one shape for every failure. A request goes from top to bottom. */
export function createHttpApp(options: HttpAppOptions): Express {
  const { operations, collaborators, readiness, trustProxy } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  // It would be parsed again at each access: `beginRequest` reads it once.
  app.set('query parser', false);

  const check = checkRequest(operations);
  const add = addRoutesTo(app, check);

  app.use(beginRequest(options));
  app.use(refuseWhileStopping(options));

  add('/health/live', 'health-live', { GET: [answerWith(answerLive)] });
  add('/health/ready', 'health-ready', { GET: [answerWith(() => answerReady(readiness))] });

  for (const operation of operations) {
    const { name, path, method, bucket, look } = operation;
    const answer = answerWith((request, response) =>
      callOperation(operation, request, response, collaborators),
    );
    const GET = [admit(options, look === null ? bucket : 'guild', operation), answer];
    const POST = [admit(options, bucket, operation), readBody(options, operation), answer];
    add(path, name, method === 'POST' ? { GET, POST } : { GET });
  }
  add('/api/key', 'key', {
    GET: [admit(options, 'guild', null), answerWith((_request, response) => describeKey(response, options))],
    DELETE: [identifyUrgently(options), answerWith((_request, response) => revokeKey(response, options))],
  });
  add('/mcp', 'mcp', { POST: [identify(options), readBody(options, MCP_BODY), answerMcp(options)] });
  addDocuments(add, options);

  app.use(check, refuseAddress);

  // What is wrong comes here from everywhere above.
  app.use(showMissingPage(options));
  app.use(admitRefused(options));
  app.use(readRefusedBody(options));
  app.use(writeProblem(options));
  return app;
}

/** Only the star is an address for all of the service. */
function refuseAddress(request: Request, response: Response): void {
  if (request.method !== 'OPTIONS' || request.url !== '*') throw new Problem('not_found');
  response.status(204).set('Allow', 'GET, HEAD, POST, DELETE, OPTIONS').end();
}
