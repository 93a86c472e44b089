import { setTimeout as delay } from 'node:timers/promises';

import { DiscordAPIError, HTTPError, type REST } from 'discord.js';
import {
  InteractionResponseType,
  MessageFlags,
  RESTJSONErrorCodes,
  Routes,
  type APIInteraction,
} from 'discord-api-types/v10';

import { filesOf, toMessageBody, type Message } from '../messages/message.ts';
import type { MessagesReply, Reply } from '../messages/reply.ts';

type ReplyMode = MessagesReply['type'];
/**
 * The kind of answer that is announced. Never a public one: a failure is shown in private, and a public "is thinking"
 * would stay.
 */
export type Deferral = Exclude<ReplyMode, 'public'>;

export interface ResponderPeriods {
  /** Longest wait for Discord to say whether it has taken the first answer. Default 5 s. */
  readonly firstAnswerMs?: number;
  /** Pauses before what follows an answer of unknown fate is tried again. Default 1, 2, 4 and 8 s. */
  readonly retryAnswerMs?: readonly number[];
}

/** Discord takes the first answer to an interaction for three seconds, and may take two more to say so. */
const FIRST_ANSWER_MS = 5_000;
/** An upload of 10 MiB included. */
const LATER_ANSWER_MS = 30_000;

const RETRY_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000];

/**
 * Sends the answers to one interaction, in whichever way is still open: as the first response, as an edit of what
 * was deferred, or as a follow-up.
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding
 */
export class Responder {
  readonly #rest: REST;
  readonly #interaction: Pick<APIInteraction, 'id' | 'token' | 'application_id'>;
  /** The mode of the deferral that is showing, until the first message takes its place. */
  #deferred: Deferral | null = null;
  #answered = false;
  /** Whether Discord has said what became of the first answer. Until then it may still be under way. */
  #isSettled = true;
  readonly #firstAnswerMs: number;
  readonly #retryMs: readonly number[];
  /** Calls one after another: a deferral under way must have arrived before its edit. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    rest: REST,
    interaction: Pick<APIInteraction, 'id' | 'token' | 'application_id'>,
    { firstAnswerMs = FIRST_ANSWER_MS, retryAnswerMs = RETRY_MS }: ResponderPeriods = {},
  ) {
    this.#rest = rest;
    this.#interaction = interaction;
    this.#firstAnswerMs = firstAnswerMs;
    this.#retryMs = retryAnswerMs;
  }

  /** Whether something has been sent, even if it did not arrive. */
  get answered(): boolean {
    return this.#answered;
  }

  /**
   * Shows that work is going on. Also resolves when Discord has not confirmed it in time: then it may still show.
   * @throws what Discord refuses it with, for example when the interaction has expired
   */
  defer(mode: Deferral): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#answered) return;
      this.#answered = true;
      const body =
        mode === 'update'
          ? { type: InteractionResponseType.DeferredMessageUpdate }
          : {
              type: InteractionResponseType.DeferredChannelMessageWithSource,
              // The flag of components belongs to the edit: https://discord.com/developers/docs/components/reference
              data: { flags: MessageFlags.Ephemeral },
            };
      await this.#callback(body).catch((error: unknown) => this.#doubt(error));
      this.#deferred = mode;
    });
  }

  /** @throws what REST throws */
  send(reply: Reply): Promise<void> {
    return this.#enqueue(async () => {
      if (reply.type === 'modal') {
        await this.#first({ type: InteractionResponseType.Modal, data: reply.modal });
      } else if (reply.type === 'choices') {
        await this.#first({
          type: InteractionResponseType.ApplicationCommandAutocompleteResult,
          data: { choices: reply.choices },
        });
      } else {
        for (const message of reply.messages) await this.#message(reply.type, message);
      }
    });
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    const result = this.#queue.then(step);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #first(body: object): Promise<void> {
    if (this.#answered) throw new Error('A form or choices can only be the first answer to an interaction.');
    this.#answered = true;
    await this.#callback(body);
  }

  async #message(mode: ReplyMode, message: Message): Promise<void> {
    const deferred = this.#deferred;
    this.#deferred = null;
    if (!this.#answered) {
      this.#answered = true;
      const type =
        mode === 'update'
          ? InteractionResponseType.UpdateMessage
          : InteractionResponseType.ChannelMessageWithSource;
      const data = toMessageBody(message, mode === 'private');
      try {
        await this.#callback({ type, data }, message);
      } catch (error) {
        this.#doubt(error);
        // It may be there already. Then this writes the same again.
        await this.#edit(message);
      }
    } else if (deferred === mode) {
      await this.#edit(message);
    } else {
      await this.#later(() =>
        this.#rest.post(Routes.webhook(this.#interaction.application_id, this.#interaction.token), {
          ...this.#payload(toMessageBody(message, mode !== 'public'), message),
          signal: AbortSignal.timeout(LATER_ANSWER_MS),
        }),
      );
    }
  }

  #edit(message: Message): Promise<void> {
    return this.#later(() =>
      this.#rest.patch(this.#originalRoute(), {
        ...this.#payload(toMessageBody(message, false), message),
        signal: AbortSignal.timeout(LATER_ANSWER_MS),
      }),
    );
  }

  /** @throws the error when it says that Discord does not take the answer */
  #doubt(error: unknown): void {
    if (isRefusal(error)) throw error;
    this.#isSettled = false;
  }

  /** Sends what follows the first answer. While that answer may still be under way, there is nothing to change yet. */
  async #later(call: () => Promise<unknown>): Promise<void> {
    // A broken connection is worth one more try at once.
    const pausesMs = this.#isSettled ? [0] : this.#retryMs;
    for (const pauseMs of pausesMs) {
      try {
        await call();
        this.#isSettled = true;
        return;
      } catch (error) {
        const mayComeYet = !this.#isSettled && isRefusal(error) && error.status === 404;
        if (isRefusal(error) && !mayComeYet) throw error;
      }
      await delay(pauseMs, undefined, { ref: false });
    }
    await call();
  }

  async #callback(body: object, message?: Message): Promise<void> {
    const signal = AbortSignal.timeout(this.#firstAnswerMs);
    const post = () =>
      this.#rest.post(Routes.interactionCallback(this.#interaction.id, this.#interaction.token), {
        ...this.#payload(body, message),
        signal,
      });
    try {
      await post();
    } catch (error) {
      if (isRefusal(error) || signal.aborted) throw error;
      // The connection broke: either on the way there or on the way back.
      await post().catch((later: unknown) => {
        if (!isAcknowledged(later)) throw later;
      });
    }
  }

  #originalRoute(): `/${string}` {
    return Routes.webhookMessage(this.#interaction.application_id, this.#interaction.token, '@original');
  }

  #payload(body: object, message?: Message) {
    const files = (message === undefined ? [] : filesOf(message)).map(({ name, bytes }) => ({
      name,
      data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      contentType: name.endsWith('.json') ? 'application/json' : 'text/plain; charset=utf-8',
    }));
    return { auth: false, body, ...(files.length === 0 ? {} : { files }) };
  }
}

function isAcknowledged(error: unknown): boolean {
  return (
    error instanceof DiscordAPIError &&
    error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged
  );
}

/** Whether Discord has said no; else it may have taken what was sent. */
function isRefusal(error: unknown): error is DiscordAPIError | HTTPError {
  return (error instanceof DiscordAPIError || error instanceof HTTPError) && error.status < 500;
}
