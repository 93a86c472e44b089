import type { BaseInteraction } from 'discord.js';

import type { Operation, AnswerNote, SuccessBody } from '../../operations/operation.ts';
import type { CommandContext } from './command.ts';

/**
 * Runs an operation as an HTTP caller does.
 * @param input fields of the operation; null counts as absent
 * @param use called with the answer, before the answer releases its resources (such as an image's slot)
 * @throws Problem
 */
export async function callOperation<Value, Field extends string, Result>(
  operation: Operation<Value, Field>,
  input: Readonly<Partial<Record<Field, unknown>>>,
  interaction: BaseInteraction,
  { now, deliveries, images, members, restMembers, signal }: CommandContext,
  use: (answer: SuccessBody & Value, notes: readonly AnswerNote[]) => Result,
): Promise<Result> {
  const { guildId, user } = interaction;
  const answer = await operation.answer(input, {
    now,
    deliveries,
    images,
    members,
    restMembers,
    signal,
    // In direct messages, limits count by user, as if each user were a guild.
    tenantId: guildId ?? user.id,
    guildId,
    secret: null,
    idempotencyKey: null,
  });
  try {
    return use(answer.value, answer.notes ?? []);
  } finally {
    answer.release?.();
  }
}
