import type { Request, Response } from 'express';

import type { OperationServices, Operation, OperationContext } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { verifiedKeyOf } from '../middleware/admit.ts';

/**
 * Everything that an operation may use besides its input.
 * @throws Problem `invalid_field`
 */
export function contextOf(
  { secretHeader, takesIdempotencyKey }: Operation,
  request: Request,
  response: Response,
  operationServices: OperationServices,
): OperationContext {
  const { tenantId, guildId } = verifiedKeyOf(response);
  return {
    ...operationServices,
    tenantId,
    guildId,
    secret: secretHeader === null ? null : request.get(secretHeader) || null,
    idempotencyKey: takesIdempotencyKey ? readIdempotencyKey(request) : null,
    signal: response.locals.signal,
  };
}

/** @throws Problem `invalid_field` */
function readIdempotencyKey(request: Request): string | null {
  const key = request.get('Idempotency-Key') || null;
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem('invalid_field/idempotency_key', { field: 'Idempotency-Key' });
}
