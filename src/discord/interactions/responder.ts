import type { REST } from '@discordjs/rest';
import { InteractionResponseType, MessageFlags, Routes, type APIInteraction } from 'discord-api-types/v10';

import { filesOf, toMessageBody, type Message } from '../messages/message.ts';
import type { MessagesReply, Reply } from '../messages/reply.ts';

type ReplyMode = MessagesReply['type'];
/** The kind of answer that is announced. Never a public one: a failure is told in private, and "is thinking" stays. */
export type Deferral = Exclude<ReplyMode, 'public'>;

/** Discord takes the first answer to an interaction for three seconds; what comes later has no effect. */
const FIRST_ANSWER_MS = 2_500;
/** An upload of 10 MiB included. */
const LATER_ANSWER_MS = 30_000;

/**
 * Sends the answers to one interaction, in whichever way is still open: as the first response, as an edit of what
 * was deferred, or as a follow-up.
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding
 */
export class Responder {
  readonly #rest: REST;
  readonly #interaction: Pick<APIInteraction, 'id' | 'token' | 'application_id'>;
  /** The mode of the deferral that stands, until the first message takes its place. */
  #deferred: Deferral | null = null;
  #answered = false;
  /** Calls one after another: a deferral under way must have arrived before its edit. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(rest: REST, interaction: Pick<APIInteraction, 'id' | 'token' | 'application_id'>) {
    this.#rest = rest;
    this.#interaction = interaction;
  }

  /** Whether something has been sent, even if it did not arrive. */
  get answered(): boolean {
    return this.#answered;
  }

  /** Shows that work is going on. @throws what REST throws, for example when the interaction has expired */
  defer(mode: Deferral): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#answered) return;
      this.#answered = true;
      await this.#callback(
        mode === 'update'
          ? { type: InteractionResponseType.DeferredMessageUpdate }
          : {
              type: InteractionResponseType.DeferredChannelMessageWithSource,
              // The flag of components belongs to the edit: https://discord.com/developers/docs/components/reference
              data: { flags: MessageFlags.Ephemeral },
            },
      );
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
      await this.#callback({ type, data }, message);
    } else if (deferred === mode) {
      await this.#rest.patch(this.#originalRoute(), {
        ...this.#payload(toMessageBody(message, false), message),
        signal: AbortSignal.timeout(LATER_ANSWER_MS),
      });
    } else {
      await this.#rest.post(Routes.webhook(this.#interaction.application_id, this.#interaction.token), {
        ...this.#payload(toMessageBody(message, mode !== 'public'), message),
        signal: AbortSignal.timeout(LATER_ANSWER_MS),
      });
    }
  }

  async #callback(body: object, message?: Message): Promise<void> {
    await this.#rest.post(Routes.interactionCallback(this.#interaction.id, this.#interaction.token), {
      ...this.#payload(body, message),
      signal: AbortSignal.timeout(FIRST_ANSWER_MS),
    });
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
