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

/** Why a call is over, for code that still works on it. Made once: an exception costs as much as a small answer. */
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
  return handler.handle(
    body ?? NO_FIELDS,
    new CallContext(operation, request, response, collaborators),
    query,
  );
}

/** Everything that an operation may use beside its input. */
export class CallContext implements OperationContext {
  readonly ownerId: string;
  readonly guildId: string | null;
  readonly secret: string | null;
  readonly idempotencyKey: string | null;
  readonly now: OperationContext['now'];
  readonly deliveries: OperationContext['deliveries'];
  readonly images: OperationContext['images'];
  readonly members: OperationContext['members'];
  readonly tokenMembers: OperationContext['tokenMembers'];
  readonly #response: Response;

  /** @throws Problem `invalid_field` */
  constructor(
    { secretHeader, takesIdempotencyKey }: Operation,
    request: Request,
    response: Response,
    { now, deliveries, images, members, tokenMembers }: Collaborators,
  ) {
    const { ownerId, guildId } = verifiedKeyOf(response);
    this.ownerId = ownerId;
    this.guildId = guildId;
    this.secret = secretHeader === null ? null : request.get(secretHeader) || null;
    this.idempotencyKey = takesIdempotencyKey ? readIdempotencyKey(request) : null;
    this.now = now;
    this.deliveries = deliveries;
    this.images = images;
    this.members = members;
    this.tokenMembers = tokenMembers;
    this.#response = response;
  }

  /** Made for those that read it. On an object literal, a getter would cost a quarter of a small request. */
  get signal(): AbortSignal {
    return signalOf(this.#response);
  }
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
