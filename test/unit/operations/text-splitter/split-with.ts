import type { AnswerOf, OperationContext } from '../../../../src/operations/operation.ts';
import { textSplitter } from '../../../../src/operations/text-splitter/operation.ts';
import { NO_DELIVERIES } from '../../../fixtures/no-deliveries.ts';

function unused(): never {
  throw new Error('Splitting a text needs nothing from outside.');
}

export function context(signal = new AbortController().signal): OperationContext {
  const outside = new Proxy({}, { get: unused });
  return {
    tenantId: '0',
    guildId: null,
    now: unused,
    secret: null,
    signal,
    images: outside as OperationContext['images'],
    members: outside as OperationContext['members'],
    idempotencyKey: null,
    deliveries: NO_DELIVERIES,
    restMembers: outside as OperationContext['restMembers'],
  };
}

type Answer = AnswerOf<typeof textSplitter>;

export type Split = Answer & { readonly payloads: NonNullable<Answer['payloads']> };

/** The whole answer of the operation; without `as` there are no payloads. */
export async function splitTexts(input: Readonly<Record<string, unknown>>): Promise<Split> {
  const { value } = await textSplitter.answer(input, context());
  return { ...value, payloads: value.payloads ?? [] };
}
