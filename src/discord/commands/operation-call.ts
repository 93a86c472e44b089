import type * as z from 'zod';

import type { Operation, OperationContext, SuccessBody } from '../../operations/operation.ts';
import type { Invocation } from '../interactions/invocation.ts';
import type { Services } from './services.ts';

/**
 * Runs an operation as an HTTP caller does, and reads of its answer what a command shows.
 * @param use called with that part and the whole answer, before what it holds (an image's place) is given back
 * @throws Problem
 */
export async function callOperation<Shown extends z.ZodObject, Result>(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  call: Invocation & { readonly signal: AbortSignal },
  services: Services,
  shown: Shown,
  use: (shown: z.output<Shown>, answer: SuccessBody) => Result,
): Promise<Result> {
  const context: OperationContext = {
    // In direct messages bounds count by user, as if everybody were a guild of their own.
    guildId: call.guildId ?? call.userId,
    token: null,
    signal: call.signal,
    now: Date.now,
    images: services.images,
    members: services.members,
    tokenMembers: services.tokenMembers,
  };
  const answer = await operation.handle(input, context);
  try {
    return use(shown.parse(answer.value), answer.value);
  } finally {
    answer.release?.();
  }
}
