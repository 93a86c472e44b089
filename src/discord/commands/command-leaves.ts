import {
  ApplicationCommandOptionType,
  type LocalizationMap,
  type RESTPostAPIApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

/** Something that a user can call: a command without subcommands, or one subcommand. */
export interface CommandLeaf {
  /** `settings key create`. */
  readonly path: string;
  /** Empty for commands of a context menu. */
  readonly description: string;
  readonly description_localizations: LocalizationMap;
}

interface Level {
  readonly name: string;
  readonly type?: number;
  readonly description?: string;
  readonly description_localizations?: LocalizationMap | null;
  readonly options?: readonly Level[];
}

export function leavesOf(data: RESTPostAPIApplicationCommandsJSONBody): readonly CommandLeaf[] {
  return [...walk(data as Level, data.name)];
}

function* walk(level: Level, path: string): Generator<CommandLeaf> {
  const inner = (level.options ?? []).filter(
    ({ type }) =>
      type === ApplicationCommandOptionType.Subcommand ||
      type === ApplicationCommandOptionType.SubcommandGroup,
  );
  const { description = '', description_localizations } = level;
  if (inner.length === 0)
    yield { path, description, description_localizations: description_localizations ?? {} };
  for (const option of inner) yield* walk(option, `${path} ${option.name}`);
}
