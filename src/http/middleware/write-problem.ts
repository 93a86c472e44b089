import type { ErrorRequestHandler } from 'express';

import { Problem } from '../../kernel/problem.ts';
import type { Log } from '../../telemetry/log.ts';
import { guessAnswerOptions } from '../answer/answer-options.ts';
import { flatten } from '../answer/flat.ts';
import { problemBody, problemHeaders } from '../answer/problem-body.ts';
import { PROBLEM_TYPE } from '../answer/write-json.ts';
import { discardRest } from '../body/receive-bytes.ts';
import { NO_FIELDS } from '../locals.ts';

/**
 * The only place that writes failures. Anything that was thrown becomes a Problem, and its answer has the eight keys of
 * all failures.
 */
export function writeProblem(log: Log, lingerMs: number): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return async (error: unknown, request, response, _next) => {
    const { locals } = response;
    const problem = toProblem(error);
    locals.problem = problem;
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    try {
      const options = guessAnswerOptions(locals.body ?? NO_FIELDS, locals.query, locals.defaults);
      const body = problemBody(problem, locals.requestId);
      response.status(options.always_200 ? 200 : problem.status).set(problemHeaders(problem));
      const text = JSON.stringify(options.flat ? flatten(body, options.separator) : body);
      response.setHeader('Content-Type', PROBLEM_TYPE);
      response.setHeader('Content-Length', Buffer.byteLength(text));
      // The end of the answer closes the connection. A caller may write the whole request before it reads the answer,
      // and a reset before that would discard the answer.
      const isOversized = problem.code === 'body_too_large' && !request.complete;
      if (isOversized) response.setHeader('Connection', 'close');
      response.write(text);
      if (isOversized) await discardRest(request, lingerMs);
      response.end();
    } catch (err) {
      log.error({ err, request_id: locals.requestId }, 'an answer could not be written');
      response.destroy();
    }
  };
}

/** Express throws an error with a 4xx status if it cannot decode a URL. */
function toProblem(error: unknown): Problem {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  const isClientError = !(error instanceof Problem) && status >= 400 && status < 500;
  return isClientError ? new Problem('bad_request', { cause: error }) : Problem.from(error);
}
