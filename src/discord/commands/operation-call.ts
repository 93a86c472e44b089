import type { Operation, OperationContext, SuccessBody } from '../../operations/operation.ts';
import type { Invocation } from '../interactions/invocation.ts';
import type { Services } from './services.ts';

/**
 * Runs an operation as an HTTP caller does.
 * @param input fields of the operation; null is absent
 * @param use called with the answer, before what it holds (an image's place) is given back
 * @throws Problem
 */
export async function callOperation<Value, Field extends string, Result>(
  operation: Operation<Value, Field>,
  input: Readonly<Partial<Record<Field, unknown>>>,
  call: Invocation & { readonly signal: AbortSignal },
  services: Services,
  use: (answer: SuccessBody & Value) => Result,
): Promise<Result> {
  const context: OperationContext = {
    // In direct messages bounds count by user, as if everybody were a guild of their own.
    ownerId: call.guildId ?? call.userId,
    guildId: call.guildId,
    secret: null,
    idempotencyKey: null,
    signal: call.signal,
    now: services.now,
    deliveries: services.deliveries,
    images: services.images,
    members: services.members,
    tokenMembers: services.tokenMembers,
  };
  const answer = await operation.handle(input, context);
  try {
    return use(answer.value);
  } finally {
    answer.release?.();
  }
}
