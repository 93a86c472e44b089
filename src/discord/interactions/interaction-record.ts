import {
  ApplicationCommandOptionType,
  InteractionType,
  type APIInteraction,
  type RESTPostAPIApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

import type { Answered } from './answer-interaction.ts';
import type { Command, ComponentAction } from '../commands/command.ts';
import { decodeCustomId } from '../messages/custom-id.ts';
import { Options } from './invocation.ts';

/** What became of a command, a click or a form. Nothing that a user typed is in it. */
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

/** Finds the word under which an interaction is counted. Whatever Discord may send, there are only so many. */
export class InteractionWords {
  readonly #words: ReadonlySet<string>;

  constructor(commands: readonly Command[], components: readonly ComponentAction[]) {
    this.#words = new Set([
      ...commands.flatMap(({ data }) => pathsOf(data)),
      ...components.map(({ action }) => action),
    ]);
  }

  find(interaction: APIInteraction): string {
    const word = wordOf(interaction);
    return this.#words.has(word) ? word : 'unknown';
  }
}

function wordOf(interaction: APIInteraction): string {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand: {
      const { data } = interaction;
      return 'options' in data ? `${data.name} ${new Options(data.options).path}`.trim() : data.name;
    }
    case InteractionType.MessageComponent:
    case InteractionType.ModalSubmit:
      return decodeCustomId(interaction.data.custom_id)?.action ?? '';
    default:
      return '';
  }
}

interface Level {
  readonly name: string;
  readonly type?: number;
  readonly options?: readonly Level[];
}

function pathsOf(data: RESTPostAPIApplicationCommandsJSONBody): string[] {
  return [...walk(data as Level, data.name)];
}

/** The command itself, or all of its subcommands. */
function* walk(level: Level, path: string): Generator<string> {
  const inner = (level.options ?? []).filter(
    ({ type }) =>
      type === ApplicationCommandOptionType.Subcommand ||
      type === ApplicationCommandOptionType.SubcommandGroup,
  );
  if (inner.length === 0) yield path;
  for (const option of inner) yield* walk(option, `${path} ${option.name}`);
}
