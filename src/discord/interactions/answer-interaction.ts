import {
  DiscordAPIError,
  RESTJSONErrorCodes,
  type BaseInteraction,
  type RepliableInteraction,
} from 'discord.js';

import type { Log } from '../../telemetry/log.ts';
import { Problem, type ProblemCode } from '../../kernel/problem.ts';
import { privately, type Deferral, type Message, type Reply } from '../messages/reply.ts';
import { problemMessage } from '../messages/problem-message.ts';
import { Responder, type ResponderPeriods } from './responder.ts';

export interface AnsweringPeriods extends ResponderPeriods {
  /** A slower answer is deferred. Default 1 s of the 3 s that Discord gives. */
  readonly deferAfterMs?: number | undefined;
}

interface AnsweringOptions extends AnsweringPeriods {
  readonly log: Log;
}

/** Tells Discord that an answer is on its way. Rejects when the interaction has expired or was answered before. */
export type SendDeferral = (mode: Deferral) => Promise<void>;

export interface Answered {
  /** `late`: the interaction had expired, or was a duplicate. */
  readonly outcome: 'ok' | 'late' | 'undelivered' | ProblemCode;
  /** The problem that the user was shown, or null. */
  readonly problem: Problem | null;
}

/** Errors of an interaction that has expired, or was answered before, so that its user cannot read an answer. */
const GONE = new Set<number | string>([
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.UnknownMessage,
]);

function isGone(error: unknown): boolean {
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
 * Does the work of one interaction and sends its answer or its problem. If the work takes long, it defers the
 * answer, so that Discord keeps waiting. Never rejects.
 */
export async function answerInteraction(
  interaction: RepliableInteraction,
  options: AnsweringOptions,
  work: (sendDeferral: SendDeferral) => Promise<Reply>,
): Promise<Answered> {
  const responder = new Responder(interaction, options);
  const mode = interaction.isMessageComponent() ? 'update' : 'private';
  const timer = setTimeout(() => {
    responder.defer(mode).catch((error: unknown) => logUndelivered(options.log, interaction, error));
  }, options.deferAfterMs ?? 1_000);
  let reply: Reply;
  let problem: Problem | null = null;
  try {
    reply = await work((deferral) => responder.defer(deferral));
  } catch (error) {
    if (isGone(error)) {
      logUndelivered(options.log, interaction, error);
      return { outcome: 'late', problem };
    }
    problem = Problem.from(error);
    reply = privately(problemMessage(problem, interaction.id, interaction.locale));
  } finally {
    clearTimeout(timer);
  }
  const undelivered = await send(interaction, options, responder, reply);
  return { outcome: undelivered ?? problem?.code ?? 'ok', problem };
}

/** Resolves with null when all of it has arrived. */
async function send(
  interaction: RepliableInteraction,
  { log }: AnsweringOptions,
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
