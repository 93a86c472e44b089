import {
  ApplicationCommandType,
  ComponentType,
  GatewayDispatchEvents,
  InteractionType,
  MessageReferenceType,
} from 'discord-api-types/v10';
import type { APIApplicationCommand, APIInteraction, APIMessage, APIUser } from 'discord-api-types/v10';
import type { SimulatedBot } from './bot-model.ts';
import type { Cdn, FileSeed } from './cdn.ts';
import type { GatewayServer } from './gateway-server.ts';
import { InteractionExchange } from './interaction-exchange.ts';
import { InteractionHandle } from './interaction-handle.ts';
import type { NextSteps } from './interaction-handle.ts';
import { writeOptions } from './interaction-options.ts';
import type { OptionValues } from './interaction-options.ts';
import { ResolvedBuilder } from './interaction-resolved.ts';
import { stageScene } from './interaction-scene.ts';
import type { InteractionScene, StagedScene } from './interaction-scene.ts';
import type { Progress } from './progress.ts';
import type { SimulatedGuild } from './guild-model.ts';
import type { JsonObject } from './read-json.ts';
import { SimulatedMessage } from './simulated-message.ts';
import type { SnowflakeSource } from './snowflakes.ts';

export interface InteractionsWorld {
  readonly cdn: Cdn;
  readonly ids: SnowflakeSource;
  readonly progress: Progress;
  readonly gateway: GatewayServer;
  readonly bots: readonly SimulatedBot[];
  listGuilds(): readonly SimulatedGuild[];
  findUser(id: string): APIUser | null;
}

/** A message that somebody wrote, for commands in its context menu. */
export interface MessageSeed {
  readonly content?: string;
  readonly authorId?: string;
  readonly files?: readonly FileSeed[];
  readonly embeds?: readonly JsonObject[];
  /** It forwards another message: everything that is shown is in its snapshot. */
  readonly isForward?: boolean;
}

/** Does what users do with a bot. Each call sends one INTERACTION_CREATE to the shard it belongs to. */
export class Interactions implements NextSteps {
  readonly #world: InteractionsWorld;
  readonly #exchanges = new Map<string, InteractionExchange>();

  constructor(world: InteractionsWorld) {
    this.#world = world;
  }

  findExchange(token: string): InteractionExchange | null {
    return this.#exchanges.get(token) ?? null;
  }

  /** A slash command with its subcommands, `settings key create`, and its options. */
  slash(command: string, options: OptionValues = {}, scene: InteractionScene = {}): InteractionHandle {
    return this.#chatInput(InteractionType.ApplicationCommand, command, options, null, scene);
  }

  /** Sent while a user types the option `focused`. */
  autocomplete(
    command: string,
    options: OptionValues,
    focused: string,
    scene: InteractionScene = {},
  ): InteractionHandle {
    return this.#chatInput(InteractionType.ApplicationCommandAutocomplete, command, options, focused, scene);
  }

  /** A command of the context menu of a user. */
  userCommand(name: string, userId: string, scene: InteractionScene = {}): InteractionHandle {
    const staged = stageScene(scene, this.#world);
    const resolved = new ResolvedBuilder(staged.guild, this.#world);
    resolved.addUser(userId);
    const type = ApplicationCommandType.User;
    const data = { ...this.#identity(staged, name, type), target_id: userId, resolved: resolved.value };
    return this.#send(staged, InteractionType.ApplicationCommand, data, scene);
  }

  /** A command of the context menu of a message. */
  messageCommand(name: string, message: MessageSeed, scene: InteractionScene = {}): InteractionHandle {
    const staged = stageScene(scene, this.#world);
    const target = this.#writeMessage(message, staged);
    const data = {
      ...this.#identity(staged, name, ApplicationCommandType.Message),
      target_id: target.id,
      resolved: { messages: { [target.id]: target } },
    };
    return this.#send(staged, InteractionType.ApplicationCommand, data, scene);
  }

  /** A click on a button. Use `InteractionHandle.click`, which finds it. */
  click(source: SimulatedMessage, component: JsonObject, scene: InteractionScene): InteractionHandle {
    const { id, custom_id, type } = component;
    const data = { id, custom_id, component_type: type };
    return this.#send(stageScene(scene, this.#world), InteractionType.MessageComponent, data, scene, source);
  }

  /** A choice in a select. Use `InteractionHandle.select`, which finds it. */
  select(
    source: SimulatedMessage,
    component: JsonObject,
    values: readonly string[],
    scene: InteractionScene,
  ): InteractionHandle {
    const staged = stageScene(scene, this.#world);
    const resolved = new ResolvedBuilder(staged.guild, this.#world);
    const type = component['type'];
    for (const value of values) {
      if (type === ComponentType.UserSelect) resolved.addUser(value);
      if (type === ComponentType.RoleSelect) resolved.addRole(value);
    }
    const data = {
      id: component['id'],
      custom_id: component['custom_id'],
      component_type: type,
      values,
      ...(resolved.value ? { resolved: resolved.value } : {}),
    };
    return this.#send(staged, InteractionType.MessageComponent, data, scene, source);
  }

  /** A filled-in modal. Use `InteractionHandle.submit`, which fills it in. */
  submit(source: SimulatedMessage | null, data: JsonObject, scene: InteractionScene): InteractionHandle {
    return this.#send(stageScene(scene, this.#world), InteractionType.ModalSubmit, data, scene, source);
  }

  /** Sends the same interaction once more, as Discord does now and then. */
  resend(exchange: InteractionExchange): void {
    const { interaction, bot } = exchange;
    const guild = this.#world.listGuilds().find(({ id }) => id === interaction.guild_id);
    // Where the bot is not in the guild, the interaction belongs to no shard and goes to the first.
    const guildId = guild?.bots.has(bot) ? guild.id : null;
    const { gateway } = this.#world;
    const event = GatewayDispatchEvents.InteractionCreate;
    const reached = gateway.dispatch(new Set([bot]), guildId, event, interaction);
    if (reached === 0) throw new Error('The bot is not connected: nobody would get this interaction.');
  }

  #chatInput(
    type: InteractionType,
    command: string,
    options: OptionValues,
    focused: string | null,
    scene: InteractionScene,
  ): InteractionHandle {
    const staged = stageScene(scene, this.#world);
    const path = command.split(' ');
    const resolved = new ResolvedBuilder(staged.guild, this.#world);
    const identity = this.#identity(staged, path[0] ?? '', ApplicationCommandType.ChatInput);
    const written = writeOptions(path, options, identity.registered, resolved, focused);
    const data = { ...identity, options: written, ...(resolved.value ? { resolved: resolved.value } : {}) };
    return this.#send(staged, type, data, scene);
  }

  /** Id, name and type; `registered` is null when the bot has no command at all, which leaves the checks out. */
  #identity(staged: StagedScene, name: string, type: ApplicationCommandType) {
    const { commands, guildCommands } = staged.bot;
    const all = [...commands, ...(guildCommands.get(staged.fields.guild_id ?? '') ?? [])];
    const registered: APIApplicationCommand | null =
      all.find((command) => command.name === name && command.type === type) ?? null;
    if (!registered && all.length > 0) throw new Error(`The bot has registered no command ${name}.`);
    return { id: registered?.id ?? '1', name, type, registered };
  }

  #send(
    staged: StagedScene,
    type: InteractionType,
    data: object,
    scene: InteractionScene,
    source: SimulatedMessage | null = null,
  ): InteractionHandle {
    const { registered: _registered, ...sent } = { registered: null, ...data };
    // Each kind of interaction has its own type. The caller makes sure that the parts fit.
    const interaction = {
      ...staged.fields,
      type,
      data: sent,
      ...(source ? { message: source.toMessage() } : {}),
    } as unknown as APIInteraction;
    const exchange = new InteractionExchange(interaction, staged.bot, source, this.#world);
    this.#exchanges.set(interaction.token, exchange);
    // Later steps are done by the same user at the same place unless the test says otherwise.
    const place: InteractionScene = {
      ...scene,
      bot: staged.bot,
      guildId: staged.fields.guild_id ?? null,
      userId: staged.fields.member?.user.id ?? staged.fields.user?.id ?? '0',
    };
    this.resend(exchange);
    return new InteractionHandle(exchange, place, this, this.#world.progress);
  }

  #writeMessage(seed: MessageSeed, staged: StagedScene): APIMessage {
    const authorId = seed.authorId ?? staged.fields.member?.user.id ?? staged.fields.user?.id ?? '0';
    const author = this.#world.findUser(authorId) ?? staged.fields.user ?? staged.bot.user;
    const channelId = staged.fields.channel?.id ?? '0';
    const meta = { id: this.#world.ids.next(), channelId, applicationId: staged.bot.id, author };
    const message = new SimulatedMessage(meta, this.#world.cdn);
    message.write({ content: seed.content ?? '', embeds: seed.embeds ?? [] }, []);
    const { webhook_id: _webhook, application_id: _application, ...written } = message.toMessage();
    const shown = {
      ...written,
      attachments: (seed.files ?? []).map((file) => this.#world.cdn.put(file, channelId)),
    };
    return seed.isForward === true ? toForward(shown, this.#world.ids.next()) : shown;
  }
}

/** A message that forwards another one, as Discord sends it: the message itself is empty. */
function toForward(original: APIMessage, id: string): APIMessage {
  const { content, embeds, attachments, timestamp, type, channel_id: channelId } = original;
  const snapshot = { content, embeds, attachments, timestamp, edited_timestamp: null, type };
  return {
    ...original,
    id,
    content: '',
    embeds: [],
    attachments: [],
    message_reference: { type: MessageReferenceType.Forward, channel_id: channelId, message_id: original.id },
    message_snapshots: [{ message: { ...snapshot, mentions: [], mention_roles: [] } }],
  };
}
