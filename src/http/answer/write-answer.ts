import { hash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';

import type { Answer, SuccessBody } from '../../operations/operation.ts';
import { NO_FIELDS } from '../locals.ts';
import { ANSWER_OPTIONS_ALONE, readAnswerOptions, type AnswerOptions } from './answer-options.ts';
import { flatten } from './flat.ts';
import { endOnImmediate, SUCCESS_TYPE, writeJson } from './write-json.ts';

/** The last middleware of a path that is no operation: answers what `handle` returns. */
export function answerWith(
  handle: (response: Response) => Answer<SuccessBody> | Promise<Answer<SuccessBody>>,
): RequestHandler {
  return async (request, response) => {
    const { body, query, defaults } = response.locals;
    const given = ANSWER_OPTIONS_ALONE.read(body ?? NO_FIELDS, query);
    const options = readAnswerOptions(given, defaults);
    await writeAnswer(request, response, await handle(response), options);
  };
}

/** Writes an answer in the form that the caller asked for. */
export async function writeAnswer(
  request: Request,
  response: Response,
  { value, version, onSent, release }: Answer<SuccessBody>,
  { flat, separator }: AnswerOptions,
): Promise<void> {
  // Node has handed the last byte to the connection. The answer to a HEAD request has no body that a caller could
  // have read.
  if (onSent !== undefined && request.method !== 'HEAD') response.once('finish', onSent);
  try {
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
  } finally {
    release?.();
  }
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
