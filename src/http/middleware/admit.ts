import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

import { EndedKeyProblem } from '../../guild-keys/ended-key-problem.ts';
import type { Operation, OperationBucket } from '../../operations/operation.ts';
import { Problem } from '../../problem.ts';
import { overLimitProblem, toLimitHeaders } from '../../rate-limit/limiter.ts';
import type { Admission } from '../admission.ts';

export interface AdmitOptions {
  readonly admission: Admission;
  /** The caller's address, with the help of trusted proxies. */
  readonly addressOf: (request: Request) => string;
}

/**
 * Key, limit and scope, in this order.
 * @param bucket the one that the request counts in
 * @param operation what the key must have been made for; null when every key will do
 * @throws Problem `key_…`, `busy`, `storage_unavailable`, `rate_limited`, `operation_not_allowed`
 */
export function admit(
  options: AdmitOptions,
  bucket: OperationBucket,
  operation: Operation | null,
): RequestHandler {
  return async (request, response, next) => {
    await readKey(options, request, response, false);
    await countIn(options.admission, response, bucket);
    if (operation !== null) requireScope(operation, response);
    next();
  };
}

/** The key alone, where the body says what it is for. @throws Problem `key_…`, `busy`, `storage_unavailable` */
export function identify(options: AdmitOptions): RequestHandler {
  return async (request, response, next) => {
    await readKey(options, request, response, false);
    next();
  };
}

/**
 * The key of a call that ends a leaked one: it counts in no bucket and does not wait with callers who guess keys, so
 * that the finder of the leak is never kept waiting by the thief.
 */
export function identifyUrgently(options: AdmitOptions): RequestHandler {
  return async (request, response, next) => {
    response.locals.isCounted = true;
    await readKey(options, request, response, true);
    next();
  };
}

/** Takes one request from a bucket of the key's guild. @throws Problem `rate_limited` */
export async function countIn(
  admission: Admission,
  response: Response,
  bucket: OperationBucket,
): Promise<void> {
  const { locals } = response;
  if (locals.key === null) throw new Error('A request counts before its key was verified.');
  locals.isCounted = true;
  const result = await admission.count(bucket, locals.key.ownerId);
  response.set(toLimitHeaders(result));
  const refusal = overLimitProblem(result);
  if (refusal !== null) throw refusal;
}

/** Lets a key call only the operations that it was made for. @throws Problem `operation_not_allowed` */
export function requireScope({ name }: Operation, response: Response): void {
  const operations = response.locals.key?.operations ?? null;
  if (operations === null || operations.includes(name)) return;
  throw new Problem('operation_not_allowed', {
    error: `This API key may not call ${name}.`,
    hint: `It may call ${operations.join(', ')}. A server admin makes another key with /settings key create.`,
  });
}

/**
 * For a request that failed before anybody looked at its key: a valid key makes the answer its guild's, with its limits
 * and its way of writing; another key changes nothing. What is wrong with a request counts too, so that mistakes do not
 * pass the limit.
 */
export function admitRefused(options: AdmitOptions): ErrorRequestHandler {
  return async (failure: unknown, request, response, next) => {
    const { locals } = response;
    // A key that was sent twice cannot be read.
    const isReadable = !(failure instanceof Problem && failure.code === 'bad_request');
    if (!locals.isKeyRead && isReadable) await readKey(options, request, response, false).catch(() => {});
    if (locals.key !== null && !locals.isCounted) await countIn(options.admission, response, 'guild');
    next(failure);
  };
}

async function readKey(
  { admission, addressOf }: AdmitOptions,
  request: Request,
  response: Response,
  isUrgent: boolean,
): Promise<void> {
  const { locals } = response;
  locals.isKeyRead = true;
  try {
    locals.key = await admission.identify({
      key: request.headers.authorization?.trim().replace(/^bearer(?:\s+|$)/i, ''),
      address: () => addressOf(request),
      isUrgent,
    });
    locals.defaults = locals.key;
  } catch (error) {
    if (error instanceof EndedKeyProblem) locals.defaults = error.answers;
    throw error;
  }
}
