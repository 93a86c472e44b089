import type { Request, Response } from 'express';

import type { Answer, Operation, OperationContext, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../problem.ts';
import { NO_FIELDS } from '../locals.ts';
import { verifiedKeyOf } from '../middleware/admit.ts';

/** Operations reach the rest of the service only through these. */
export type Collaborators = Pick<
  OperationContext,
  'now' | 'deliveries' | 'images' | 'members' | 'tokenMembers'
>;

/** Why a call is over, for code that still works on it. Made once: an exception takes time with its stack. */
const GONE = new DOMException('The caller has left.', 'AbortError');
const ANSWERED = new DOMException('The answer has left.', 'AbortError');

/** The input of an operation comes from the body. The query fills what the body does not have. */
export function callOperation(
  operation: Operation,
  request: Request,
  response: Response,
  collaborators: Collaborators,
): Promise<Answer<SuccessBody>> {
  const { body, query } = response.locals;
  const handler = request.method === 'POST' ? operation : (operation.look ?? operation);
  return handler.handle(body ?? NO_FIELDS, createContext(operation, request, response, collaborators), query);
}

/** @throws Problem `invalid_field` */
export function createContext(
  { secretHeader, takesIdempotencyKey }: Operation,
  request: Request,
  response: Response,
  collaborators: Collaborators,
): OperationContext {
  const { ownerId, guildId } = verifiedKeyOf(response);
  return {
    ...collaborators,
    ownerId,
    guildId,
    secret: secretHeader === null ? null : request.get(secretHeader) || null,
    idempotencyKey: takesIdempotencyKey ? readIdempotencyKey(request) : null,
    signal: signalOf(response),
  };
}

/** @throws Problem `invalid_field` */
function readIdempotencyKey(request: Request): string | null {
  const key = request.get('Idempotency-Key') || null;
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem('invalid_field', {
    field: 'Idempotency-Key',
    error: 'The header Idempotency-Key must have 1 to 255 visible ASCII characters, without blanks.',
  });
}

/** Aborts when the caller is gone, and when the answer has left, because what was held for it can go then. */
function signalOf(response: Response): AbortSignal {
  const aborter = new AbortController();
  const abort = () => aborter.abort(response.writableFinished ? ANSWERED : GONE);
  if (response.closed) abort();
  else response.once('close', abort);
  return aborter.signal;
}
