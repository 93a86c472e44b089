import {
  ApplicationIntegrationType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
} from 'discord-api-types/v10';
import type { APIInteraction, APIInteractionResponse } from 'discord-api-types/v10';
import type { SimulatedBot } from './bot-model.ts';
import type { Cdn } from './cdn.ts';
import { checkMessage } from './message-rules.ts';
import type { Progress } from './progress.ts';
import { isObject } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import { checkChoices, checkModal, checkResponseType } from './response-rules.ts';
import { DiscordError } from './rest-route.ts';
import type { RestAnswer, RestRequest } from './rest-route.ts';
import { SimulatedMessage } from './simulated-message.ts';
import type { SnowflakeSource } from './snowflakes.ts';

/** The number of follow-ups that are taken where only the user has installed the application. */
const USER_INSTALL_FOLLOW_UPS_MAX = 5;

export interface ExchangeWorld {
  readonly cdn: Cdn;
  readonly ids: SnowflakeSource;
  readonly progress: Progress;
}

/** Discord's side of an interaction: what was sent to a bot, and everything that it answered. */
export class InteractionExchange {
  readonly interaction: APIInteraction;
  readonly bot: SimulatedBot;
  /** The message with the component that was used. */
  readonly source: SimulatedMessage | null;
  /** Edits of the source when its component was used. */
  readonly editsBefore: number;
  /** The first answer; null until then. */
  response: APIInteractionResponse | null = null;
  /** The message that @original means: the reply, or the source when the answer changes that. */
  original: SimulatedMessage | null = null;
  readonly followUps: SimulatedMessage[] = [];
  /** Discord's refusals, in order. A bot that works well leaves it empty. */
  readonly refusals: DiscordError[] = [];
  isExpired = false;
  readonly #world: ExchangeWorld;

  constructor(
    interaction: APIInteraction,
    bot: SimulatedBot,
    source: SimulatedMessage | null,
    world: ExchangeWorld,
  ) {
    this.interaction = interaction;
    this.bot = bot;
    this.source = source;
    this.editsBefore = source?.edits ?? 0;
    this.#world = world;
  }

  /** POST /interactions/:interaction/:token/callback */
  respond(request: RestRequest): RestAnswer {
    return this.#attempt(() => {
      if (this.isExpired) throw unknownInteraction();
      if (this.response) throw new DiscordError(400, 40060, 'Interaction has already been acknowledged.');
      const body = isObject(request.body) ? request.body : {};
      const data = isObject(body['data']) ? body['data'] : {};
      const hasMessage = this.source !== null;
      this.#take(checkResponseType(body['type'], this.interaction.type, hasMessage), data, request);
      // The rules of its type were checked.
      this.response = body as unknown as APIInteractionResponse;
      if (request.query.get('with_response') !== 'true') return { status: 204 };
      return { status: 200, body: this.#describe() };
    });
  }

  /** POST /webhooks/:application/:token */
  followUp(request: RestRequest): RestAnswer {
    return this.#attempt(() => {
      this.#requireLiving();
      const isUserInstalled =
        this.interaction.authorizing_integration_owners[ApplicationIntegrationType.GuildInstall] ===
        undefined;
      if (isUserInstalled && this.followUps.length >= USER_INSTALL_FOLLOW_UPS_MAX) {
        const text = 'This interaction has hit the maximum number of follow up messages';
        throw new DiscordError(400, 40094, text);
      }
      const message = this.#createMessage(isObject(request.body) ? request.body : {}, request);
      this.followUps.push(message);
      return { status: 200, body: message.toMessage() };
    });
  }

  /** GET /webhooks/:application/:token/messages/:message */
  show(id: string): RestAnswer {
    return this.#attempt(() => ({ status: 200, body: this.#find(id).toMessage() }));
  }

  /** PATCH /webhooks/:application/:token/messages/:message */
  edit(id: string, request: RestRequest): RestAnswer {
    return this.#attempt(() => {
      const message = this.#find(id);
      const body = isObject(request.body) ? request.body : {};
      checkMessage(body, request.files, message, this.interaction.attachment_size_limit);
      message.edit(body, request.files);
      return { status: 200, body: message.toMessage() };
    });
  }

  /** DELETE /webhooks/:application/:token/messages/:message */
  delete(id: string): RestAnswer {
    return this.#attempt(() => {
      this.#find(id).delete();
      return { status: 204 };
    });
  }

  #take(type: InteractionResponseType, data: JsonObject, request: RestRequest): void {
    switch (type) {
      case InteractionResponseType.ChannelMessageWithSource:
        this.original = this.#createMessage(data, request);
        break;
      case InteractionResponseType.DeferredChannelMessageWithSource:
        this.original = this.#newMessage();
        this.original.startLoading(Number(data['flags'] ?? 0));
        break;
      case InteractionResponseType.DeferredMessageUpdate:
        this.original = this.source;
        break;
      case InteractionResponseType.UpdateMessage:
        this.original = this.source;
        checkMessage(data, request.files, this.source, this.interaction.attachment_size_limit);
        this.source?.edit(data, request.files);
        break;
      case InteractionResponseType.ApplicationCommandAutocompleteResult:
        checkChoices(data);
        break;
      case InteractionResponseType.Modal:
        checkModal(data);
        break;
      case InteractionResponseType.Pong:
      case InteractionResponseType.PremiumRequired:
      case InteractionResponseType.LaunchActivity:
        break;
    }
  }

  #createMessage(body: JsonObject, request: RestRequest): SimulatedMessage {
    checkMessage(body, request.files, null, this.interaction.attachment_size_limit);
    const message = this.#newMessage();
    message.write(body, request.files);
    return message;
  }

  #newMessage(): SimulatedMessage {
    const meta = {
      id: this.#world.ids.next(),
      channelId: this.interaction.channel?.id ?? '0',
      applicationId: this.bot.id,
      author: this.bot.user,
    };
    return new SimulatedMessage(meta, this.#world.cdn);
  }

  #find(id: string): SimulatedMessage {
    this.#requireLiving();
    const known = [this.original, this.source, ...this.followUps];
    const message = id === '@original' ? this.original : known.find((each) => each?.id === id);
    if (!message || message.isDeleted) throw new DiscordError(404, 10008, 'Unknown Message');
    return message;
  }

  #requireLiving(): void {
    if (!this.response || this.interaction.type === InteractionType.ApplicationCommandAutocomplete) {
      throw new DiscordError(404, 10015, 'Unknown Webhook');
    }
    if (this.isExpired) throw new DiscordError(401, 50027, 'Invalid Webhook Token');
  }

  /** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback-response-object */
  #describe(): object {
    const message = this.original;
    const flags = message?.flags ?? 0;
    return {
      interaction: {
        id: this.interaction.id,
        type: this.interaction.type,
        ...(message ? { response_message_id: message.id } : {}),
        response_message_loading: (flags & MessageFlags.Loading) !== 0,
        response_message_ephemeral: (flags & MessageFlags.Ephemeral) !== 0,
      },
      resource: { type: this.response?.type, ...(message ? { message: message.toMessage() } : {}) },
    };
  }

  #attempt(step: () => RestAnswer): RestAnswer {
    try {
      return step();
    } catch (error) {
      if (error instanceof DiscordError) this.refusals.push(error);
      throw error;
    } finally {
      this.#world.progress.notify();
    }
  }
}

export function unknownInteraction(): DiscordError {
  return new DiscordError(404, 10062, 'Unknown interaction');
}
