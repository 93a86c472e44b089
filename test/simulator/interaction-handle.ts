import { ComponentType, InteractionResponseType } from 'discord-api-types/v10';
import type {
  APIApplicationCommandOptionChoice,
  APIInteraction,
  APIInteractionResponse,
  APIModalInteractionResponseCallbackData,
} from 'discord-api-types/v10';
import type { InteractionExchange } from './interaction-exchange.ts';
import type { InteractionScene } from './interaction-scene.ts';
import { fillModal } from './modal-submission.ts';
import type { ModalValues } from './modal-submission.ts';
import type { Progress } from './progress.ts';
import { textOf } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import type { DiscordError } from './rest-route.ts';
import type { SimulatedMessage } from './simulated-message.ts';

/** The ways in which a user goes on from an answer. */
export interface NextSteps {
  click(source: SimulatedMessage, component: JsonObject, scene: InteractionScene): InteractionHandle;
  select(
    source: SimulatedMessage,
    component: JsonObject,
    values: readonly string[],
    scene: InteractionScene,
  ): InteractionHandle;
  submit(source: SimulatedMessage | null, data: JsonObject, scene: InteractionScene): InteractionHandle;
  resend(exchange: InteractionExchange): void;
}

/** One interaction as its user sees it: waits for the answers, and goes on from them. */
export class InteractionHandle {
  readonly #exchange: InteractionExchange;
  readonly #scene: InteractionScene;
  readonly #next: NextSteps;
  readonly #progress: Progress;

  constructor(exchange: InteractionExchange, scene: InteractionScene, next: NextSteps, progress: Progress) {
    this.#exchange = exchange;
    this.#scene = scene;
    this.#next = next;
    this.#progress = progress;
  }

  get interaction(): APIInteraction {
    return this.#exchange.interaction;
  }

  /** Discord's refusals of its answers; empty when the bot works well. */
  get refusals(): readonly DiscordError[] {
    return this.#exchange.refusals;
  }

  get followUps(): readonly SimulatedMessage[] {
    return this.#exchange.followUps;
  }

  /** The first answer, of whatever kind. */
  async response(): Promise<APIInteractionResponse> {
    await this.#progress.until(() => this.#exchange.response !== null);
    return this.#exchange.response ?? unreachable();
  }

  /**
   * The message of the answer, as soon as there is something in it: the reply, the text that takes the place of "is
   * thinking ...", or the message with the component after it was changed. Throws when the answer is no message.
   */
  async reply(): Promise<SimulatedMessage> {
    const { type } = await this.response();
    const message = this.#exchange.original;
    if (!message) throw new Error(`The answer was no message but of type ${InteractionResponseType[type]}.`);
    const editsBefore =
      type === InteractionResponseType.DeferredMessageUpdate ? this.#exchange.editsBefore : -1;
    await this.#progress.until(
      () => message.isDeleted || (!message.isLoading && message.edits > editsBefore),
    );
    return message;
  }

  /** The message of the answer after this number of edits. */
  async edited(edits = 1): Promise<SimulatedMessage> {
    await this.#progress.until(() => (this.#exchange.original?.edits ?? 0) >= edits);
    return this.#exchange.original ?? unreachable();
  }

  /** A follow-up by its number, from 0. */
  async followUp(index = 0): Promise<SimulatedMessage> {
    await this.#progress.until(() => this.#exchange.followUps.length > index);
    return this.#exchange.followUps[index] ?? unreachable();
  }

  /** The suggestions of autocomplete. */
  async choices(): Promise<readonly APIApplicationCommandOptionChoice[]> {
    const response = await this.response();
    if (response.type !== InteractionResponseType.ApplicationCommandAutocompleteResult) {
      throw new Error(
        `The answer held no choices but was of type ${InteractionResponseType[response.type]}.`,
      );
    }
    return response.data.choices ?? [];
  }

  /** The modal that the answer opened. */
  async modal(): Promise<APIModalInteractionResponseCallbackData> {
    const response = await this.response();
    if (response.type !== InteractionResponseType.Modal) {
      throw new Error(`The answer was no modal but of type ${InteractionResponseType[response.type]}.`);
    }
    return response.data;
  }

  /** Resolves when the condition holds; it is looked at after everything that happens in the simulator. */
  until(isDone: () => boolean): Promise<void> {
    return this.#progress.until(isDone);
  }

  /** Clicks a button of the reply, by its custom id or its label. Another `scene.userId` lets somebody else click. */
  async click(
    button: string,
    scene: InteractionScene = {},
    message?: SimulatedMessage,
  ): Promise<InteractionHandle> {
    const source = message ?? (await this.reply());
    return this.#next.click(source, findControl(source, button), { ...this.#scene, ...scene });
  }

  /** Chooses in a select of the reply, by its custom id or placeholder. */
  async select(
    select: string,
    values: readonly string[],
    scene: InteractionScene = {},
    message?: SimulatedMessage,
  ): Promise<InteractionHandle> {
    const source = message ?? (await this.reply());
    const component = findControl(source, select);
    return this.#next.select(source, component, values, { ...this.#scene, ...scene });
  }

  /** Fills in the modal of the answer, by custom ids, and submits it. */
  async submit(values: ModalValues, scene: InteractionScene = {}): Promise<InteractionHandle> {
    const data = fillModal(await this.modal(), values);
    return this.#next.submit(this.#exchange.source, data, { ...this.#scene, ...scene });
  }

  /** Sends the same interaction again. */
  duplicate(): void {
    this.#next.resend(this.#exchange);
  }

  /** Lets its time run out: 3 s before the first answer, 15 minutes after it. */
  expire(): void {
    this.#exchange.isExpired = true;
  }
}

function findControl(message: SimulatedMessage, wanted: string): JsonObject {
  const found = message.controls.find((control) =>
    [control['custom_id'], control['label'], control['placeholder']].includes(wanted),
  );
  if (!found) {
    const ids = message.controls.map(
      (control) => `${textOf(control['label'])} (${textOf(control['custom_id'])})`,
    );
    throw new Error(`The message has no "${wanted}", only: ${ids.join(', ') || 'nothing'}.`);
  }
  if (found['disabled'] === true) throw new Error(`"${wanted}" is disabled.`);
  if (message.isDeleted) throw new Error('The message is deleted.');
  if (found['type'] === ComponentType.TextInput) throw new Error(`"${wanted}" can only be submitted.`);
  return found;
}

function unreachable(): never {
  throw new Error('The condition that was waited for does not hold.');
}
