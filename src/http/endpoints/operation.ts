import type { Request, Response } from 'express';

import type { Answer, Operation, OperationContext, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../problem.ts';
import { NO_FIELDS } from '../locals.ts';
import { verifiedKeyOf } from './key.ts';

/** What operations reach through. */
export type Collaborators = Pick<
  OperationContext,
  'now' | 'deliveries' | 'images' | 'members' | 'tokenMembers'
>;

/** Why a call is over, for code that still works on it. Made once: an exception costs as much as a small answer. */
const GONE = new DOMException('The caller has left.', 'AbortError');
const ANSWERED = new DOMException('The answer has left.', 'AbortError');

/** What an operation answers to a request: its input comes from the body, and from the query where that has none. */
export function callOperation(
  operation: Operation,
  request: Request,
  response: Response,
  collaborators: Collaborators,
): Promise<Answer<SuccessBody>> {
  const { body, query } = response.locals;
  const handler = request.method === 'POST' ? operation : (operation.look ?? operation);
  return handler.handle(body ?? NO_FIELDS, contextOf(operation, request, response, collaborators), query);
}

/** What a call may use beside its input. */
export function contextOf(
  { secretHeader, takesIdempotencyKey }: Operation,
  request: Request,
  response: Response,
  collaborators: Collaborators,
): OperationContext {
  const { ownerId, guildId } = verifiedKeyOf(response);
  const secret = secretHeader === null ? null : request.get(secretHeader) || null;
  const idempotencyKey = takesIdempotencyKey ? readIdempotencyKey(request) : null;
  return { ...collaborators, ownerId, guildId, secret, idempotencyKey, signal: signalOf(response) };
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
  response.once('close', () => aborter.abort(response.writableFinished ? ANSWERED : GONE));
  return aborter.signal;
}
