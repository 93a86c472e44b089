import { setTimeout as delay } from 'node:timers/promises';

import type { AutocompleteInteraction, BaseInteraction, Interaction, RepliableInteraction } from 'discord.js';

import { Problem, type ProblemCode } from '../../kernel/problem.ts';
import { MISSING_NAME } from '../client/own-sharding-strategy.ts';
import {
  isMessageCommand,
  isSlashCommand,
  type AnyCommand,
  type Command,
  type CommandBucket,
  type CommandContext,
  type ComponentAction,
  type ComponentInteraction,
  type MessageCommand,
  type Services,
  type SlashCommand,
} from '../commands/command.ts';
import type { Log } from '../../telemetry/log.ts';
import { leavesOf } from '../commands/command-leaves.ts';
import { requirePermission } from '../commands/permitted.ts';
import { decodeCustomId } from '../messages/components.ts';
import { problemMessage } from '../messages/problem-message.ts';
import { privately, type Deferral, type Reply } from '../messages/reply.ts';
import { Responder, type ResponderPeriods } from './responder.ts';
import { isGone, logUndelivered, sendReply } from './send-reply.ts';

export interface InteractionLimits extends ResponderPeriods {
  /** A slower answer is deferred. Default 1 s of the 3 s that Discord gives. */
  readonly deferAfterMs?: number | undefined;
  /** Interactions that may run concurrently. Beyond that, the service answers that it is busy. Default 1,000. */
  readonly runningMax?: number | undefined;
}

export interface InteractionsOptions extends InteractionLimits {
  readonly log: Log;
  readonly services: Services;
  readonly commands: readonly Command[];
  readonly components: readonly ComponentAction[];
  /** @throws Problem `rate_limited` */
  readonly admit: (userId: string, bucket: CommandBucket) => Promise<void>;
  /** Called for each command, click and form once it has ended, but not for autocompletes. It must not throw. */
  readonly onAnswered?: ((record: InteractionRecord) => void) | undefined;
}

/** The longest that one interaction may work. */
const WORK_MS = 60_000;

interface Answered {
  /** `late`: the interaction had expired, or was a duplicate. */
  readonly outcome: 'ok' | 'late' | 'undelivered' | ProblemCode;
  /** The problem that the user was shown, or null. */
  readonly problem: Problem | null;
}

/** A command, a click or a form, for the log and the metrics. It holds no text that a user typed. */
export interface InteractionRecord extends Answered {
  /** Snowflake. */
  readonly interactionId: string;
  /** One of our own names: `settings key create`, `Split text`, the action of a button, or `unknown`. */
  readonly command: string;
  /** Snowflake; null in direct messages. */
  readonly guildId: string | null;
  /** From the interaction's arrival here to the end of its answer. */
  readonly durationMs: number;
}

/** The checks before a command or a component runs. */
interface Checks {
  readonly permission?: bigint;
  readonly bucket: CommandBucket | null;
  readonly defer: Deferral | null;
}

/** Calls the command of an interaction, and sends the answer. Every failure ends here. */
export class Interactions {
  readonly #options: InteractionsOptions;
  readonly #slashCommands: ReadonlyMap<string, SlashCommand>;
  readonly #messageCommands: ReadonlyMap<string, MessageCommand>;
  readonly #components: ReadonlyMap<string, ComponentAction>;
  /** The names of commands and actions for logs and metrics. All others count as `unknown`, to limit their number. */
  readonly #names: ReadonlySet<string>;
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #closed = false;

  constructor(options: InteractionsOptions) {
    const { commands, components } = options;
    this.#options = options;
    const slash = commands.filter((command) => isSlashCommand(command));
    const menus = commands.filter((command) => isMessageCommand(command));
    this.#slashCommands = new Map(slash.map((command) => [command.data.name, command]));
    this.#messageCommands = new Map(menus.map((command) => [command.data.name, command]));
    this.#components = new Map(components.map((component) => [component.action, component]));
    this.#names = new Set([
      ...commands.flatMap(({ data }) => leavesOf(data).map(({ path }) => path)),
      ...components.map(({ action }) => action),
    ]);
  }

  /** Never throws and never rejects. @param inThread true when it comes from a thread */
  handle(interaction: Interaction, inThread: boolean): void {
    const isBusy = this.#running.size >= (this.#options.runningMax ?? 1_000);
    const answered = interaction.isAutocomplete()
      ? this.#complete(interaction, isBusy)
      : this.#answer(interaction, inThread, isBusy);
    const work = answered
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'an interaction was left without an answer'),
      )
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** New interactions are answered with `shutting_down`. Running ones have `timeoutMs` to end. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true;
    await Promise.race([Promise.all(this.#running), delay(timeoutMs, undefined, { ref: false })]);
    this.#closing.abort();
  }

  async #answer(interaction: RepliableInteraction, inThread: boolean, isBusy: boolean): Promise<void> {
    const startedAt = performance.now();
    const answered = await this.#reply(interaction, inThread, isBusy);
    const name = nameOf(interaction);
    this.#options.onAnswered?.({
      ...answered,
      interactionId: interaction.id,
      command: this.#names.has(name) ? name : 'unknown',
      guildId: interaction.guildId,
      durationMs: performance.now() - startedAt,
    });
  }

  /**
   * Does the work of one interaction and sends its answer or its problem. If the work takes long, it defers the
   * answer, so that Discord keeps waiting. Never rejects.
   */
  async #reply(interaction: RepliableInteraction, inThread: boolean, isBusy: boolean): Promise<Answered> {
    const { log, deferAfterMs = 1_000 } = this.#options;
    const responder = new Responder(interaction, this.#options);
    const mode = interaction.isMessageComponent() ? 'update' : 'private';
    const timer = setTimeout(() => {
      responder.defer(mode).catch((error: unknown) => logUndelivered(log, interaction, error));
    }, deferAfterMs);
    let reply: Reply;
    let problem: Problem | null = null;
    try {
      if (this.#closed) throw new Problem('shutting_down');
      if (isBusy) throw new Problem('busy', { retryAfterSeconds: 5 });
      reply = await this.#run(interaction, this.#contextOf(inThread), responder);
    } catch (error) {
      if (isGone(error)) {
        logUndelivered(log, interaction, error);
        return { outcome: 'late', problem };
      }
      problem = Problem.from(error);
      reply = privately(problemMessage(problem, interaction.id, interaction.locale));
    } finally {
      clearTimeout(timer);
    }
    const undelivered = await sendReply(interaction, log, responder, reply);
    return { outcome: undelivered ?? problem?.code ?? 'ok', problem };
  }

  async #run(
    interaction: RepliableInteraction,
    context: CommandContext,
    responder: Responder,
  ): Promise<Reply> {
    if (interaction.isMessageComponent() || interaction.isModalSubmit()) {
      return this.#runComponent(interaction, context, responder);
    }
    if (interaction.commandName === MISSING_NAME) throw new TypeError('A command without its data.');
    if (interaction.isChatInputCommand()) {
      const command = this.#slashCommands.get(interaction.commandName);
      return this.#runCommand(command, interaction, context, responder);
    }
    if (interaction.isMessageContextMenuCommand()) {
      const command = this.#messageCommands.get(interaction.commandName);
      return this.#runCommand(command, interaction, context, responder);
    }
    throw new Problem('not_found/command');
  }

  async #runCommand<Call extends BaseInteraction>(
    command: AnyCommand<Call> | undefined,
    interaction: Call,
    context: CommandContext,
    responder: Responder,
  ): Promise<Reply> {
    if (command === undefined) throw new Problem('not_found/command');
    const defer = command.defers(interaction) ? 'private' : null;
    const isImage = command.operations.some((operation) => operation.bucket === 'image');
    const bucket = isImage ? 'image' : 'command';
    await this.#check({ ...command, bucket, defer }, interaction, responder);
    return command.run(interaction, context);
  }

  async #runComponent(
    interaction: ComponentInteraction,
    context: CommandContext,
    responder: Responder,
  ): Promise<Reply> {
    if (interaction.customId === MISSING_NAME) throw new TypeError('A component without its data.');
    const id = decodeCustomId(interaction.customId);
    const component = id === null ? undefined : this.#components.get(id.action);
    if (id === null || component === undefined) throw new Problem('not_found/component');
    if (id.userId !== interaction.user.id) throw new Problem('bad_request/not_yours');
    await this.#check(component, interaction, responder);
    return component.run(interaction, id.argument, context);
  }

  /** Checks the permission before the rate limit, so that a user without it does not use up the limit. */
  async #check(
    { permission, defer, bucket }: Checks,
    interaction: BaseInteraction,
    responder: Responder,
  ): Promise<void> {
    if (permission !== undefined) requirePermission(interaction, permission);
    if (defer !== null) await responder.defer(defer);
    if (bucket !== null) await this.#options.admit(interaction.user.id, bucket);
  }

  /** Always answers, because Discord shows "loading" until it gets a list. */
  async #complete(interaction: AutocompleteInteraction, isBusy: boolean): Promise<void> {
    const choices = await this.#choices(interaction, isBusy).catch((error: unknown) => {
      logUndelivered(this.#options.log, interaction, error);
      return [];
    });
    await interaction
      .respond(choices)
      .catch((error: unknown) => logUndelivered(this.#options.log, interaction, error));
  }

  async #choices(interaction: AutocompleteInteraction, isBusy: boolean) {
    const command = this.#slashCommands.get(interaction.commandName);
    if (command?.complete === undefined || isBusy) return [];
    if (command.permission !== undefined) requirePermission(interaction, command.permission);
    return command.complete(interaction, this.#contextOf(false));
  }

  #contextOf(inThread: boolean): CommandContext {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(WORK_MS)]);
    return { ...this.#options.services, signal, inThread };
  }
}

/** The path of a command, or the action of a component. It may be any text, because it comes from Discord. */
function nameOf(interaction: RepliableInteraction): string {
  if (interaction.isMessageComponent() || interaction.isModalSubmit()) {
    return decodeCustomId(interaction.customId)?.action ?? '';
  }
  if (!interaction.isChatInputCommand()) return interaction.commandName;
  const { options, commandName } = interaction;
  const path = [commandName, options.getSubcommandGroup(), options.getSubcommand(false)];
  return path.filter((name) => name !== null).join(' ');
}
