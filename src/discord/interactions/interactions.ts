import { setTimeout as delay } from 'node:timers/promises';

import {
  ApplicationCommandType,
  ComponentType,
  InteractionType,
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
} from 'discord-api-types/v10';

import { Problem } from '../../problem.ts';
import {
  answerInteraction,
  noteUndelivered,
  type Announce,
  type AnsweringOptions,
} from './answer-interaction.ts';
import type { Command, CommandCall, ComponentAction } from '../commands/command.ts';
import { decodeCustomId } from '../messages/custom-id.ts';
import { InteractionWords, type InteractionRecord } from './interaction-record.ts';
import { permissionNeeded } from './permission-needed.ts';
import { isPermitted, Options, readInvocation, type Invocation } from './invocation.ts';
import type { Reply } from '../messages/reply.ts';
import { Responder } from './responder.ts';
import type { Services } from '../commands/services.ts';
import { SpokenProblem } from '../messages/spoken-problem.ts';

export interface InteractionsOptions extends AnsweringOptions {
  readonly services: Services;
  readonly commands: readonly Command[];
  readonly components: readonly ComponentAction[];
  /** @throws Problem `rate_limited` */
  readonly admit: (userId: string, bucket: Command['bucket']) => Promise<void>;
  /** Called for each command, click and form once it has ended, but not for autocompletes. It must not throw. */
  readonly onAnswered?: (record: InteractionRecord) => void;
  /** Longest work of one interaction, default 60 s. */
  readonly workMs?: number;
  /** Interactions that may be under way. For any more, the service is busy. Default 1,000. */
  readonly runningMax?: number;
}

/** Takes interactions to the commands and their answers back. Whatever fails ends here. */
export class Interactions {
  readonly #options: InteractionsOptions;
  readonly #commands: ReadonlyMap<string, Command>;
  readonly #components: ReadonlyMap<string, ComponentAction>;
  readonly #words: InteractionWords;
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #closed = false;

  constructor(options: InteractionsOptions) {
    this.#options = options;
    this.#commands = new Map(options.commands.map((command) => [command.data.name, command]));
    this.#components = new Map(options.components.map((component) => [component.action, component]));
    this.#words = new InteractionWords(options.commands, options.components);
  }

  /** Never throws and never rejects. */
  handle(interaction: APIInteraction): void {
    const isBusy = this.#running.size >= (this.#options.runningMax ?? 1_000);
    const work = this.#answer(interaction, isBusy)
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'an interaction was left without an answer'),
      )
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** New interactions are answered with `shutting_down`. Those under way have `timeoutMs` to end. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true;
    await Promise.race([Promise.all(this.#running), delay(timeoutMs, undefined, { ref: false })]);
    this.#closing.abort();
  }

  async #answer(interaction: APIInteraction, isBusy: boolean): Promise<void> {
    switch (interaction.type) {
      case InteractionType.ApplicationCommand:
        return this.#answerCommand(interaction, isBusy);
      case InteractionType.ApplicationCommandAutocomplete:
        return this.#complete(interaction, isBusy);
      case InteractionType.MessageComponent:
      case InteractionType.ModalSubmit:
        return this.#answerComponent(interaction, isBusy);
      case InteractionType.Ping:
        // Comes over HTTP only.
        return undefined;
    }
  }

  async #answerCommand(interaction: APIApplicationCommandInteraction, isBusy: boolean): Promise<void> {
    await this.#respond(interaction, isBusy, async (announce) => {
      const call = this.#readCommand(interaction);
      const command = this.#commands.get(interaction.data.name);
      if (command === undefined) throw SpokenProblem.of('not_found', 'unknown_command');
      checkPermission(command, call);
      if (command.defers(call.options)) await announce('private');
      await this.#options.admit(call.userId, command.bucket);
      return command.run(call, this.#options.services);
    });
  }

  async #answerComponent(
    interaction: APIMessageComponentInteraction | APIModalSubmitInteraction,
    isBusy: boolean,
  ): Promise<void> {
    await this.#respond(interaction, isBusy, async (announce) => {
      const invocation = readInvocation(interaction);
      const id = decodeCustomId(interaction.data.custom_id);
      const component = id === null ? undefined : this.#components.get(id.action);
      if (id === null || component === undefined) throw SpokenProblem.of('not_found', 'unknown_component');
      if (id.userId !== invocation.userId) throw SpokenProblem.of('bad_request', 'not_yours');
      checkPermission(component, invocation);
      if (component.defer !== null) await announce(component.defer);
      if (component.bucket !== null) await this.#options.admit(invocation.userId, component.bucket);
      return component.run(
        {
          ...invocation,
          argument: id.argument,
          values: 'values' in interaction.data ? interaction.data.values : [],
          fields: readFields(interaction),
          message: interaction.message ?? null,
          signal: this.#signal(),
        },
        this.#options.services,
      );
    });
  }

  async #complete(interaction: APIApplicationCommandAutocompleteInteraction, isBusy: boolean): Promise<void> {
    const responder = new Responder(this.#options.rest, interaction);
    try {
      const call = this.#readCommand(interaction);
      const command = this.#commands.get(interaction.data.name);
      if (command !== undefined) checkPermission(command, call);
      const choices = isBusy ? [] : ((await command?.complete?.(call, this.#options.services)) ?? []);
      await responder.send({ type: 'choices', choices });
    } catch (error) {
      noteUndelivered(this.#options.log, interaction, error);
      // Discord shows "loading" for as long as there is no list.
      if (!responder.answered) {
        await responder
          .send({ type: 'choices', choices: [] })
          .catch((later: unknown) => noteUndelivered(this.#options.log, interaction, later));
      }
    }
  }

  async #respond(
    interaction: APIInteraction,
    isBusy: boolean,
    work: (announce: Announce) => Promise<Reply>,
  ): Promise<void> {
    const startedAt = performance.now();
    const answered = await answerInteraction(interaction, this.#options, async (announce) => {
      if (this.#closed) throw new Problem('shutting_down');
      if (isBusy) throw new Problem('busy', { retryAfterSeconds: 5 });
      return work(announce);
    });
    this.#options.onAnswered?.({
      ...answered,
      interactionId: interaction.id,
      command: this.#words.find(interaction),
      guildId: interaction.guild_id ?? null,
      durationMs: performance.now() - startedAt,
    });
  }

  #readCommand(
    interaction: APIApplicationCommandInteraction | APIApplicationCommandAutocompleteInteraction,
  ): CommandCall {
    const { data } = interaction;
    const target =
      data.type === ApplicationCommandType.Message ? (data.resolved.messages[data.target_id] ?? null) : null;
    const options =
      data.type === ApplicationCommandType.ChatInput
        ? new Options(data.options, data.resolved)
        : new Options();
    return { ...readInvocation(interaction), options, target, signal: this.#signal() };
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#options.workMs ?? 60_000)]);
  }
}

/** Discord hides commands by permission, but an admin can change that, and a button outlives a permission. */
function checkPermission(guarded: { readonly permission?: bigint }, invocation: Invocation): void {
  if (guarded.permission === undefined) return;
  if (invocation.guildId === null) throw SpokenProblem.of('bad_request', 'guild_only');
  if (!isPermitted(invocation, guarded.permission)) {
    throw permissionNeeded(guarded.permission, invocation.locale);
  }
}

function readFields(
  interaction: APIMessageComponentInteraction | APIModalSubmitInteraction,
): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  if (interaction.type !== InteractionType.ModalSubmit) return fields;
  for (const entry of interaction.data.components) {
    if (entry.type === ComponentType.Label && 'value' in entry.component) {
      fields.set(entry.component.custom_id, String(entry.component.value));
    }
  }
  return fields;
}
