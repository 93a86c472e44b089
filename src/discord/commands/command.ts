import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type APIApplicationCommandOptionChoice,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type MessageComponentInteraction,
  type MessageContextMenuCommandInteraction,
  type ModalSubmitInteraction,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord.js';

import type { Operation } from '../../operations/operation.ts';
import type { Deferral, Reply } from '../messages/reply.ts';
import type { CommandContext } from './services.ts';

/** Discord's limits on the choices of an option. */
export const CHOICES_MAX = 25;
export const CHOICE_LENGTH_MAX = 100;

interface Guarded {
  /** The permission that the user needs, checked whatever Discord let through. Implies use in a server. */
  readonly permission?: bigint;
}

interface AnyCommand extends Guarded {
  /** The operations that it makes usable in Discord. */
  readonly operations: readonly Operation[];
  /** Whose requests count together: images have a smaller budget. */
  readonly bucket: 'command' | 'image';
}

export interface SlashCommand extends AnyCommand {
  readonly data: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /**
   * True to announce the answer at once: for work that waits for a network, and for work that must not be done twice,
   * because a doubled or expired interaction fails at the announcement.
   */
  defers(interaction: ChatInputCommandInteraction): boolean;
  /** @throws Problem */
  run(interaction: ChatInputCommandInteraction, context: CommandContext): Promise<Reply>;
  /** Choices while an option is being typed. */
  complete?(
    interaction: AutocompleteInteraction,
    context: CommandContext,
  ): Promise<readonly APIApplicationCommandOptionChoice[]>;
}

/** A command in the menu of a message. */
export interface MessageCommand extends AnyCommand {
  readonly data: RESTPostAPIContextMenuApplicationCommandsJSONBody;
  defers(interaction: MessageContextMenuCommandInteraction): boolean;
  /** @throws Problem */
  run(interaction: MessageContextMenuCommandInteraction, context: CommandContext): Promise<Reply>;
}

export type Command = SlashCommand | MessageCommand;

/** A click on a button, a choice in a select, or a form that was sent. */
export type ComponentInteraction = MessageComponentInteraction | ModalSubmitInteraction;

/** The work of a button, a select or a form. */
export interface ComponentAction extends Guarded {
  /** First part of the custom id. */
  readonly action: string;
  /** Announced at once, as with commands; null when the answer takes no time or is a form. */
  readonly defer: Deferral | null;
  /** As with commands; null for what only opens the next step, or must always work. */
  readonly bucket: Command['bucket'] | null;
  /**
   * @param argument of the custom id
   * @throws Problem
   */
  run(interaction: ComponentInteraction, argument: string, context: CommandContext): Promise<Reply>;
}

export function isMessageCommand(command: Command): command is MessageCommand {
  return command.data.type === ApplicationCommandType.Message;
}

export function isSlashCommand(command: Command): command is SlashCommand {
  return !isMessageCommand(command);
}

/** Commands that need nothing of a server: in servers, in direct messages, and installed by a user alone. */
export const ANYWHERE = {
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
};

/** Commands about a server, where the bot has to be in it. */
export const IN_GUILDS = {
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};

/** An option with a list to choose from. Its choices are called what the languages call them, or else their value. */
export function choiceOption(name: string, values: readonly string[]) {
  return {
    type: ApplicationCommandOptionType.String,
    name,
    choices: values.map((value) => ({ name: value, value })),
  } as const;
}
