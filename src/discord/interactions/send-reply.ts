import {
  DiscordAPIError,
  RESTJSONErrorCodes,
  type BaseInteraction,
  type RepliableInteraction,
} from 'discord.js';

import type { Log } from '../../telemetry/log.ts';
import { Problem } from '../../kernel/problem.ts';
import { privately, type Message, type Reply } from '../messages/reply.ts';
import { problemMessage } from '../messages/problem-message.ts';
import type { Responder } from './responder.ts';

/** Errors of an interaction that has expired, or was answered before. */
const GONE = new Set<number | string>([
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.UnknownMessage,
]);

/** True when the user of an interaction cannot read an answer any more. */
export function isGone(error: unknown): boolean {
  return error instanceof DiscordAPIError && GONE.has(error.code);
}

/** Logs an answer that did not arrive. Late and duplicate interactions are everyday events. */
export function logUndelivered(log: Log, interaction: BaseInteraction, error: unknown): void {
  log[isGone(error) ? 'info' : 'warn'](
    { err: error, interaction: interaction.id },
    'an answer did not reach Discord',
  );
}

/**
 * Sends the answer of an interaction. If Discord does not take it, its work is undone.
 * @returns null when all of it has arrived. `late`: the interaction had expired, or was a duplicate
 */
export async function sendReply(
  interaction: RepliableInteraction,
  log: Log,
  responder: Responder,
  reply: Reply,
): Promise<'late' | 'undelivered' | null> {
  try {
    await responder.send(reply);
    return null;
  } catch (error) {
    logUndelivered(log, interaction, error);
    // Undo the work even if the user can no longer read about it.
    const message = await undo(interaction, log, reply, error);
    if (isGone(error)) return 'late';
    await responder
      .send(privately(message))
      .catch((later: unknown) => logUndelivered(log, interaction, later));
    return 'undelivered';
  }
}

/**
 * Undoes work whose result the user has not seen.
 * @returns the problem to show instead
 */
async function undo(
  interaction: RepliableInteraction,
  log: Log,
  reply: Reply,
  cause: unknown,
): Promise<Message> {
  let problem: Problem = new Problem('discord_unavailable/answer', { cause });
  try {
    if ('onUndelivered' in reply) await reply.onUndelivered?.(cause);
  } catch (error) {
    problem = Problem.from(error);
    log.warn({ err: problem.cause ?? problem, interaction: interaction.id }, 'an answer was taken back');
  }
  return problemMessage(problem, interaction.id, interaction.locale);
}
