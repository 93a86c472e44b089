import type { RepliableInteraction } from 'discord.js';

import type { Answered } from './answer-interaction.ts';
import type { Command, ComponentAction } from '../commands/command.ts';
import { leavesOf } from '../commands/command-leaves.ts';
import { decodeCustomId } from '../messages/components.ts';

/** A command, a click or a form for the log and the metrics. It holds nothing that a user typed. */
export interface InteractionRecord extends Answered {
  /** Snowflake. */
  readonly interactionId: string;
  /** A word of ours: `settings key create`, `Split text`, the action of a button, or `unknown`. */
  readonly command: string;
  /** Snowflake; null in direct messages. */
  readonly guildId: string | null;
  /** From its arrival here to the end of its answer. */
  readonly durationMs: number;
}

/**
 * Finds the word under which an interaction is counted. Whatever Discord sends, the number of these words is bounded.
 */
export class InteractionWords {
  readonly #words: ReadonlySet<string>;

  constructor(commands: readonly Command[], components: readonly ComponentAction[]) {
    this.#words = new Set([
      ...commands.flatMap(({ data }) => leavesOf(data).map(({ path }) => path)),
      ...components.map(({ action }) => action),
    ]);
  }

  find(interaction: RepliableInteraction): string {
    const word = wordOf(interaction);
    return this.#words.has(word) ? word : 'unknown';
  }
}

function wordOf(interaction: RepliableInteraction): string {
  if (interaction.isMessageComponent() || interaction.isModalSubmit()) {
    return decodeCustomId(interaction.customId)?.action ?? '';
  }
  if (!interaction.isChatInputCommand()) return interaction.commandName;
  const { options, commandName } = interaction;
  const path = [commandName, options.getSubcommandGroup(), options.getSubcommand(false)];
  return path.filter((name) => name !== null).join(' ');
}
