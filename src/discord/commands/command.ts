import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type ApplicationCommandOptionChoiceData,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type MessageComponentInteraction,
  type MessageContextMenuCommandInteraction,
  type ModalSubmitInteraction,
  type RESTPostAPIApplicationCommandsJSONBody,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord.js';

import type { BoundedMap } from '../../kernel/bounded-map.ts';
import type { GuildKeys } from '../../guild-keys/guild-keys.ts';
import type { KeyUsage } from '../../guild-keys/key-usage.ts';
import type { OperationServices, Operation } from '../../operations/operation.ts';
import type { parseArgs } from '../../operations/parse-args/operation.ts';
import type { Limits } from '../../rate-limit/limiter.ts';
import type { Deferral, Reply } from '../messages/reply.ts';

/** Discord's limits on the choices of an option. */
export const CHOICES_MAX = 25;
export const CHOICE_LENGTH_MAX = 100;

/**
 * For commands that work without a server: in servers, in direct messages, and where only the user installed the app.
 */
export const ANYWHERE = {
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
};

/** For commands about a server. The bot must be in it. */
export const IN_GUILDS = {
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};

/** Requests in the same bucket share a limit. */
export type CommandBucket = 'command' | 'image';

interface Guarded {
  /** The permission that the user needs, in a server. It is checked even if Discord allows the command. */
  readonly permission?: bigint;
}

/** @template Interaction the interaction that calls it */
export interface AnyCommand<Interaction> extends Guarded {
  /** The operations that it calls. With one on images, it counts towards their smaller budget. */
  readonly operations: readonly Operation[];
  /**
   * True to defer the answer immediately. Do so for work that waits for a network, and for work that must not be
   * done twice, because deferring fails for a duplicate or expired interaction.
   */
  defers(interaction: Interaction): boolean;
  /** @throws Problem */
  run(interaction: Interaction, context: CommandContext): Promise<Reply>;
}

export interface SlashCommand extends AnyCommand<ChatInputCommandInteraction> {
  readonly data: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** Choices while an option is being typed. */
  complete?(
    interaction: AutocompleteInteraction,
    context: CommandContext,
  ): Promise<readonly ApplicationCommandOptionChoiceData[]>;
}

/** A command in the menu of a message. */
export interface MessageCommand extends AnyCommand<MessageContextMenuCommandInteraction> {
  readonly data: RESTPostAPIContextMenuApplicationCommandsJSONBody;
}

export type Command = SlashCommand | MessageCommand;

/** A click on a button, a choice in a select, or a submitted form. */
export type ComponentInteraction = MessageComponentInteraction | ModalSubmitInteraction;

/** The work of a button, a select or a form. */
export interface ComponentAction extends Guarded {
  /** First part of the custom id. */
  readonly action: string;
  /** The deferral to send before the work; null if the action answers immediately or opens a form. */
  readonly defer: Deferral | null;
  /** null for actions that only open the next step, or must always work. */
  readonly bucket: CommandBucket | null;
  /**
   * @param argument of the custom id
   * @throws Problem
   */
  run(interaction: ComponentInteraction, argument: string, context: CommandContext): Promise<Reply>;
}

/** The keys of servers, and how they were used. */
export interface KeyServices {
  readonly keys: GuildKeys;
  readonly usage: Pick<KeyUsage, 'read' | 'peaks' | 'lastUsed'>;
}

export interface Services extends KeyServices, OperationServices, Limits {
  readonly operations: readonly Operation[];
  /** All registered commands. */
  readonly commands: readonly RESTPostAPIApplicationCommandsJSONBody[];
  /** Recently parsed lines, for the button that shows the JSON. */
  readonly parsedLines: BoundedMap<Parameters<typeof parseArgs.answer>[0]>;
  /** The URL of the HTTP API, without a slash at the end. */
  publicUrl(): string;
  /** The link that adds the bot to a server. */
  inviteUrl(): string;
  /** `/settings key list` as a clickable link, once Discord has sent the ids of the commands. */
  mention(path: string): string;
  /** True when the bot itself is in the server, and not only its commands. */
  isInGuild(guildId: string): boolean;
}

/** The services, and facts about the interaction that is being answered. */
export interface CommandContext extends Services {
  /** Aborts when it is too late for an answer, or when the process ends. */
  readonly signal: AbortSignal;
  /** True when the interaction comes from a thread. discord.js keeps only the id of a channel, so it cannot tell. */
  readonly inThread: boolean;
}

export function isMessageCommand(command: Command): command is MessageCommand {
  return command.data.type === ApplicationCommandType.Message;
}

export function isSlashCommand(command: Command): command is SlashCommand {
  return !isMessageCommand(command);
}
