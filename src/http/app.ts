import express, { type Express, type RequestHandler } from 'express';

import type { GuildKeys } from '../guild-keys/guild-keys.ts';
import type { Operation } from '../operations/operation.ts';
import type { Log } from '../telemetry/log.ts';
import { ANSWER_OPTION_NAMES } from './answer/answer-options.ts';
import { answerWith } from './answer/write-answer.ts';
import type { BodyMemory } from './body/body-memory.ts';
import { addDocuments } from './docs/add-documents.ts';
import type { DocumentsOptions } from './docs/documents-options.ts';
import { showMissingPage } from './docs/show-missing-page.ts';
import { answerOperation } from './endpoints/answer-operation.ts';
import { answerLive, answerReady, LIVE, READY } from './endpoints/health.ts';
import { describeKey, KEY, revokeKey } from './endpoints/key.ts';
import { answerMcp, MCP, MCP_BODY, refuseBrokenMessage } from './mcp/answer-mcp.ts';
import type { RequestRecord } from './locals.ts';
import {
  admit,
  authenticate,
  authenticateUrgently,
  countEarlyFailure,
  type Admission,
} from './middleware/admit.ts';
import { beginRequest } from './middleware/begin-request.ts';
import { checkRequest } from './middleware/check-request.ts';
import { readBody, readRefusedBody } from './middleware/read-body.ts';
import { writeProblem } from './middleware/write-problem.ts';
import { byLastPart, noSuchPath } from './not-found.ts';
import { Routes } from './routes.ts';
import { trustNoProxy } from './server/caller-address.ts';

/** Verifies and limits the keys of servers. */
export interface HttpKeyServices {
  readonly admission: Admission;
  readonly keys: Pick<GuildKeys, 'revoke'>;
}

export interface HttpAppOptions extends DocumentsOptions {
  readonly log: Log;
  readonly keyServices: HttpKeyServices;
  readonly bodies: BodyMemory;
  readonly onRequest: (record: RequestRecord) => void;
  /** The rest of a request body is read for this long after its answer. */
  readonly lingerMs: number;
  /** How long a refused request waits for a small body, which may ask for `always_200` or `flat`. */
  readonly refusedBodyMs: number;
  /** The proxies in front of us that are trusted: none, this number of them, or those at these addresses. */
  readonly trustProxy: false | number | readonly string[];
}

/**
 * The Express app: health, operations, documents, and one form for all failures. A request goes through it from top to
 * bottom.
 */
export function createHttpApp(options: HttpAppOptions): Express {
  const { log, bodies, operations, operationServices, limits, status, lingerMs, refusedBodyMs } = options;
  const { admission, keys } = options.keyServices;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', options.trustProxy === false ? trustNoProxy(log) : options.trustProxy);
  // Express would parse the query again at each access. `beginRequest` reads it once.
  app.set('query parser', false);

  const check = checkRequest(operations);
  const routes = new Routes(app, check);

  app.use(beginRequest(options.onRequest, lingerMs));

  routes.add(LIVE, { GET: [answerWith(answerLive)] });
  routes.add(READY, { GET: [answerWith(() => answerReady(status))] });

  for (const operation of operations) {
    const { method, bucket, readOnly, bodyBytesMax, textField, readWholeBody } = operation;
    const names = operation.names.withOptions(ANSWER_OPTION_NAMES);
    const answer = answerOperation(operation, names, operationServices);
    // send posts its text unread, so JSON in it is text as well.
    const body = { bodyBytesMax, textField, names, textMayBeJson: readOnly, readWholeBody };
    const GET = [admit(admission, bucket, operation), answer];
    const POST = [admit(admission, bucket, operation), readBody(bodies, body), answer];
    if (method === 'GET') routes.add(operation, { GET });
    // Tools and browsers repeat a GET on their own.
    else routes.add(operation, readOnly ? { GET, POST } : { POST });
  }

  routes.add(KEY, {
    GET: [admit(admission, KEY.bucket, null), answerWith((response) => describeKey(response, limits))],
    DELETE: [authenticateUrgently(admission), answerWith((response) => revokeKey(response, keys))],
  });
  routes.add(MCP, {
    POST: [
      authenticate(admission),
      readBody(bodies, MCP_BODY),
      refuseBrokenMessage(admission),
      answerMcp({ operations, admission, operationServices, version: options.version }),
    ],
  });
  addDocuments(routes, bodies, options);
  app.use(check, answerNotFound(operations));

  // Failures of everything above end here.
  app.use(showMissingPage(options));
  app.use(countEarlyFailure(admission));
  app.use(readRefusedBody(bodies, refusedBodyMs));
  app.use(writeProblem(log, lingerMs));
  return app;
}

function answerNotFound(operations: readonly Operation[]): RequestHandler {
  const endpoints = [...operations, KEY, MCP, LIVE, READY];
  const paths = byLastPart([...endpoints.map(({ path }) => path), '/docs', '/status'])
    // As other services call it.
    .set('health', READY.path);
  return ({ method, url, path }, response) => {
    // In an OPTIONS request, `*` means the whole server.
    if (method !== 'OPTIONS' || url !== '*') throw noSuchPath(path, paths);
    response.status(204).set('Allow', 'GET, HEAD, POST, DELETE, OPTIONS').end();
  };
}
