import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

import { EndedKeyProblem, type VerifiedKey } from '../../guild-keys/guild-keys.ts';
import { presentedKey } from '../../guild-keys/presented-key.ts';
import type { Operation, OperationBucket } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { overLimitProblem, toLimitHeaders, type LimitResult } from '../../rate-limit/limiter.ts';
import { callerAddress } from '../server/caller-address.ts';

export interface Credentials {
  /** The bare key from the Authorization header; undefined without one. */
  readonly key: string | undefined;
  /** Returns the IP address of the caller. Called only when it is needed. */
  readonly address: () => string;
  /** True for a call that revokes a leaked key. Callers with wrong keys must not delay it. */
  readonly isUrgent: boolean;
}

/** Authenticates a call, and counts it in the limits of the key's guild. */
export interface Admission {
  /** Rejects with Problem `key_…`, `busy`, `storage_unavailable`. */
  authenticate(credentials: Credentials): Promise<VerifiedKey>;
  /** Takes one request from a bucket of the key's guild, also while Redis is away. */
  readonly limiter: { take(bucket: OperationBucket, tenantId: string): Promise<LimitResult> };
}

/**
 * Checks key, limit and scope, in this order.
 * @param bucket the one in which the request counts
 * @param operation the one that the key must be made for; null when any key will do
 * @throws Problem `key_…`, `busy`, `storage_unavailable`, `rate_limited`, `operation_not_allowed`
 */
export function admit(
  admission: Admission,
  bucket: OperationBucket,
  operation: Operation | null,
): RequestHandler {
  return async (request, response, next) => {
    await readKey(admission, request, response, false);
    await countIn(admission, response, bucket);
    if (operation !== null) requireScope(operation, response);
    next();
  };
}

/**
 * Checks only the key. It is for paths whose body names the operation.
 * @throws Problem `key_…`, `busy`, `storage_unavailable`
 */
export function authenticate(admission: Admission): RequestHandler {
  return async (request, response, next) => {
    await readKey(admission, request, response, false);
    next();
  };
}

/**
 * Checks the key of a call that revokes a leaked key. The call counts in no bucket and does not queue with callers who
 * guess keys, so that an attacker cannot delay the revocation.
 */
export function authenticateUrgently(admission: Admission): RequestHandler {
  return async (request, response, next) => {
    response.locals.isRateCounted = true;
    await readKey(admission, request, response, true);
    next();
  };
}

/** Returns the key of a request that has passed one of these checks. */
export function verifiedKeyOf({ locals: { key } }: Response): VerifiedKey {
  if (key === null) throw new Error('The key is read before it was verified.');
  return key;
}

/** Takes one request from a bucket of the key's guild. @throws Problem `rate_limited` */
export async function countIn(
  admission: Admission,
  response: Response,
  bucket: OperationBucket,
): Promise<void> {
  const { tenantId } = verifiedKeyOf(response);
  response.locals.isRateCounted = true;
  const result = await admission.limiter.take(bucket, tenantId);
  response.set(toLimitHeaders(result));
  if (!result.isAllowed) throw overLimitProblem(result);
}

/** Lets a key call only the operations that it was made for. @throws Problem `operation_not_allowed` */
export function requireScope({ name }: Operation, response: Response): void {
  const { operations } = verifiedKeyOf(response);
  if (operations === null || operations.includes(name)) return;
  throw new Problem('operation_not_allowed/operation', { values: { name, names: operations.join(', ') } });
}

/**
 * Handles a request that failed before its key was checked. With a valid key, the request counts in the bucket of its
 * guild, so that mistakes are not a way around the limit, and the answer takes the form that the key asks for. Any
 * other key changes nothing.
 */
export function countEarlyFailure(admission: Admission): ErrorRequestHandler {
  return async (failure: unknown, request, response, next) => {
    const { locals } = response;
    // When the header was sent twice, neither key is used.
    const isOneKey = (request.headersDistinct['authorization']?.length ?? 0) < 2;
    if (!locals.isKeyRead && isOneKey) await readKey(admission, request, response, false).catch(() => {});
    if (locals.key !== null && !locals.isRateCounted) await countIn(admission, response, 'guild');
    next(failure);
  };
}

async function readKey(
  admission: Admission,
  request: Request,
  response: Response,
  isUrgent: boolean,
): Promise<void> {
  const { locals } = response;
  locals.isKeyRead = true;
  try {
    locals.key = await admission.authenticate({
      key: presentedKey(request.headers.authorization),
      address: () => callerAddress(request),
      isUrgent,
    });
    locals.defaults = locals.key;
  } catch (error) {
    if (error instanceof EndedKeyProblem) locals.defaults = error.answerOptions;
    throw error;
  }
}
