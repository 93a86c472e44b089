import { hash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';

import type { Answer, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { NO_FIELDS, type Fields } from '../locals.ts';
import { ANSWER_OPTIONS_ALONE, readAnswerOptions, type AnswerOptions } from './answer-options.ts';
import { flatten } from './flat.ts';
import { endOnImmediate, SUCCESS_TYPE, writeJson } from './write-json.ts';

type Handle = (
  request: Request,
  response: Response,
  given: Fields,
) => Answer<SuccessBody> | Promise<Answer<SuccessBody>>;

/**
 * The last middleware of a path: answers what `handle` returns, in the form that the caller asked for.
 * @param handle its last parameter has the fields by their documented names
 * @param names of the fields that callers may send. Default: the answer options
 */
export function answerWith(handle: Handle, names = ANSWER_OPTIONS_ALONE): RequestHandler {
  return async (request, response) => {
    const { body, query, defaults } = response.locals;
    // The query fills in what the body lacks.
    const given = names.read(body ?? NO_FIELDS, query);
    const options = readAnswerOptions(given, defaults);
    let answer;
    try {
      answer = await handle(request, response, given);
    } catch (error) {
      throw explain(error, (field) => names.findMisspelt(field, body ?? NO_FIELDS, query));
    }
    // Node has handed the last byte to the connection. The answer to a HEAD request has no body that a caller could
    // have read.
    if (answer.onSent !== undefined && request.method !== 'HEAD') response.once('finish', answer.onSent);
    try {
      await writeAnswer(request, response, answer, options);
    } finally {
      answer.release?.();
    }
  };
}

/** Names the misspelt name under which a missing field was sent. Other errors stay as they are. */
function explain(error: unknown, findMisspelt: (field: string) => string | null): unknown {
  if (!(error instanceof Problem) || error.key !== 'missing_field/field' || error.field === null)
    return error;
  const { field } = error;
  const sent = findMisspelt(field);
  return sent === null ? error : new Problem('missing_field/misspelt', { field, values: { sent } });
}

async function writeAnswer(
  request: Request,
  response: Response,
  { value, version }: Answer<SuccessBody>,
  { flat, separator }: AnswerOptions,
): Promise<void> {
  if (version !== undefined) {
    const tag = entityTag(version, flat, separator);
    response.setHeader('ETag', tag);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (matchesTag(request.headers['if-none-match'], tag)) {
      response.status(304);
      endOnImmediate(response);
      return;
    }
  }
  await writeJson(response, SUCCESS_TYPE, flat ? flatten(value, separator) : value);
}

/** @param version JSON that changes with everything the answer depends on, except how it is written */
function entityTag(version: string, flat: boolean, separator: string | null): string {
  const form = flat ? `flat ${separator ?? ''}` : '';
  const digest = hash('sha256', `${version}\n${form}`, 'base64url');
  return `"${digest.slice(0, 27)}"`;
}

/**
 * True when an If-None-Match header names this tag. Express's `fresh` gives a whole answer for `Cache-Control:
 * no-cache`, which `fetch` sends with every If-None-Match.
 */
function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((given) => {
    const candidate = given.trim().replace(/^W\//, '');
    return candidate === '*' || candidate === tag;
  });
}
