import type {
  APIApplicationCommandOptionChoice,
  LocalizationMap,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
  RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

import { TRANSLATED_LOCALES } from './languages.ts';
import { translatorFor } from './translator.ts';

/** A command without its descriptions, at every level. */
export type WithoutDescription<Level> = Level extends readonly (infer Each)[]
  ? readonly WithoutDescription<Each>[]
  : Level extends object
    ? {
        readonly [Key in keyof Level as Key extends 'description' ? never : Key]: WithoutDescription<
          Level[Key]
        >;
      }
    : Level;

interface Level {
  readonly name: string;
  readonly options?: readonly Level[] | undefined;
  readonly choices?: readonly APIApplicationCommandOptionChoice[] | undefined;
}

/**
 * Adds the names and descriptions of a slash command, its options and their choices in all languages. They are in
 * <language>.json under the path of their English names. Missing texts, such as names of builders, stay as they are.
 */
export function localiseCommand(
  command: WithoutDescription<RESTPostAPIChatInputApplicationCommandsJSONBody>,
): RESTPostAPIChatInputApplicationCommandsJSONBody {
  // The shape stays the same. Only texts that exist at every level are added.
  return localise(command, command.name) as RESTPostAPIChatInputApplicationCommandsJSONBody;
}

/** The same for a command on a message, which has only a name. */
export function localiseMenuCommand(
  command: RESTPostAPIContextMenuApplicationCommandsJSONBody,
): RESTPostAPIContextMenuApplicationCommandsJSONBody {
  return { ...command, ...texts(`${command.name}.name`, 'name') };
}

function localise(level: Level, path: string): Level {
  return {
    ...level,
    ...texts(`${path}.name`, 'name', level.name),
    ...texts(`${path}.description`, 'description'),
    options: level.options?.map((option) => localise(option, `${path}.options.${keyOf(option.name)}`)),
    choices: level.choices?.map((choice) => ({
      ...choice,
      ...texts(`${path}.choices.${choice.value}`, 'name'),
    })),
  };
}

/** Numbered options, `permission_2` and so on, share one text. */
function keyOf(name: string): string {
  return name.replace(/_\d+$/, '_n');
}

/** One text, in English and in all languages that have it. */
function texts(path: string, field: 'name' | 'description', own = '') {
  const values = { n: /_(\d+)$/.exec(own)?.[1] ?? '' };
  const english = translatorFor('en').command(path, values);
  if (english === null) return {};
  const localisations: LocalizationMap = Object.fromEntries(
    TRANSLATED_LOCALES.map(({ locale }) => [locale, translatorFor(locale).command(path, values)]),
  );
  return { [field]: english, [`${field}_localizations`]: localisations };
}
