import { setTimeout as delay } from 'node:timers/promises';

import {
  DiscordAPIError,
  MessageFlags,
  RateLimitError,
  RESTJSONErrorCodes,
  type RepliableInteraction,
} from 'discord.js';

import type { Deferral, Message, MessagesReply, Reply } from '../messages/reply.ts';

export interface ResponderPeriods {
  /** Pauses before each retry of a follow-up to an unconfirmed answer. Default 1, 2, 4 and 8 s. */
  readonly retryAnswerMs?: readonly number[];
}

const RETRY_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000];

/**
 * Sends the answers to one interaction in whichever way is still open: as the first response, as an edit of a deferred
 * one, or as a follow-up. discord.js makes the calls. This class decides their order, and what follows an unconfirmed
 * answer.
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding
 */
export class Responder {
  readonly #interaction: RepliableInteraction;
  readonly #retryMs: readonly number[];
  /** The mode of the deferral that Discord is showing, until the first message replaces it. */
  #deferred: Deferral | null = null;
  /** False while the first answer may still be on its way, unconfirmed by Discord. */
  #isSettled = true;
  /** Makes calls run one after another, because a deferral must have arrived before it can be edited. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(interaction: RepliableInteraction, { retryAnswerMs = RETRY_MS }: ResponderPeriods = {}) {
    this.#interaction = interaction;
    this.#retryMs = retryAnswerMs;
  }

  /**
   * Shows that work is going on. Also resolves when Discord has not confirmed it in time, because it may still show.
   * @throws Discord's refusal, for example because the interaction has expired
   */
  defer(mode: Deferral): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#isAnswered) return;
      const interaction = this.#interaction;
      await this.#sendFirst(() =>
        mode === 'update' && interaction.isMessageComponent()
          ? interaction.deferUpdate()
          : interaction.deferReply({ flags: MessageFlags.Ephemeral }),
      );
      this.#deferred = mode;
    });
  }

  /** @throws what REST throws */
  send(reply: Reply): Promise<void> {
    return this.#enqueue(async () => {
      if (reply.type === 'modal') {
        if (this.#interaction.isModalSubmit()) throw new Error('A form cannot open another one.');
        await this.#interaction.showModal(reply.modal);
      } else {
        for (const message of reply.messages) await this.#message(reply.type, message);
      }
    });
  }

  get #isAnswered(): boolean {
    return this.#interaction.deferred || this.#interaction.replied;
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    const result = this.#queue.then(step);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #message(mode: MessagesReply['type'], message: Message): Promise<void> {
    const interaction = this.#interaction;
    const deferred = this.#deferred;
    this.#deferred = null;
    // An edit without files removes the files that were there.
    const options = { components: [], files: [], ...message };
    const isPlain = 'content' in message || 'embeds' in message;
    const formatFlags = isPlain ? [] : [MessageFlags.IsComponentsV2 as const];
    const flags = mode === 'public' ? formatFlags : [...formatFlags, MessageFlags.Ephemeral as const];
    const edit = () => interaction.editReply({ ...options, flags: formatFlags });
    if (!this.#isAnswered) {
      await this.#sendFirst(() =>
        mode === 'update' && interaction.isMessageComponent()
          ? interaction.update({ ...options, flags: formatFlags })
          : interaction.reply({ ...options, flags }),
      );
      // If the message has arrived already, this edit writes the same text again.
      if (!this.#isSettled) await this.#sendFollowUp(edit);
    } else {
      await this.#sendFollowUp(deferred === mode ? edit : () => interaction.followUp({ ...options, flags }));
    }
  }

  /**
   * Sends the first answer. If the connection breaks, before or after Discord got it, it is sent once more.
   * @throws the error, if it says that Discord does not take the answer
   */
  async #sendFirst(call: () => Promise<unknown>): Promise<void> {
    let failure = await failureOf(call);
    if (failure !== null && !isRefusal(failure) && !isLate(failure)) {
      const second = await failureOf(call);
      failure = isAcknowledged(second) ? null : second;
    }
    if (failure !== null && isRefusal(failure)) throw failure;
    this.#isSettled = failure === null;
    // Discord took the answer, or may have, so no other answer can be the first one any more.
    if (!this.#isAnswered) this.#interaction.deferred = true;
  }

  /** Sends a follow-up to the first answer. While that may still be on its way, there is no message to edit. */
  async #sendFollowUp(call: () => Promise<unknown>): Promise<void> {
    // After a broken connection, try once more immediately.
    const pausesMs = this.#isSettled ? [0] : this.#retryMs;
    for (const pauseMs of pausesMs) {
      const failure = await failureOf(call);
      if (failure === null) {
        this.#isSettled = true;
        return;
      }
      const mayStillArrive = !this.#isSettled && failure instanceof DiscordAPIError && failure.status === 404;
      if (isRefusal(failure) && !mayStillArrive) throw failure;
      await delay(pauseMs, undefined, { ref: false });
    }
    const failure = await failureOf(call);
    if (failure !== null) throw failure;
  }
}

/** Returns null when Discord has taken the message. */
async function failureOf(call: () => Promise<unknown>): Promise<Error | null> {
  try {
    await call();
    return null;
  } catch (error) {
    // Discord accepted it, but its answer is not JSON.
    if (error instanceof SyntaxError) return null;
    return error instanceof Error ? error : new Error(String(error));
  }
}

function isAcknowledged(error: Error | null): boolean {
  return (
    error instanceof DiscordAPIError &&
    error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged
  );
}

/** True when Discord refused. After any other failure, it may have taken the message. */
function isRefusal(error: Error): boolean {
  return error instanceof DiscordAPIError || error instanceof RateLimitError;
}

/** True when the deadline passed before Discord answered. */
function isLate({ name }: Error): boolean {
  return name === 'TimeoutError' || name === 'AbortError';
}
