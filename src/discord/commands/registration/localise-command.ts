import type { LocalizationMap, RESTPostAPIApplicationCommandsJSONBody } from 'discord-api-types/v10';

import { COMMAND_NAMES } from '../../texts/command-names.ts';
import type { CommandName } from '../../texts/command-name.ts';
import { LOCALES, TRANSLATED, type Language, type Translated } from '../../texts/languages.ts';

interface Named {
  readonly name: string;
  readonly description?: string;
  readonly options?: readonly Named[];
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[];
}

/** The command with its names and descriptions in all languages of the table. */
export function localiseCommand(
  command: RESTPostAPIApplicationCommandsJSONBody,
): RESTPostAPIApplicationCommandsJSONBody {
  // The shape stays as it is; only fields that every level may have are added.
  return localise(command as Named, command.name) as RESTPostAPIApplicationCommandsJSONBody;
}

function localise(named: Named, path: string): Named {
  const names = localisations(path, 0);
  return {
    ...named,
    ...(names === null ? {} : { name_localizations: names }),
    ...(names === null || named.description === undefined
      ? {}
      : { description_localizations: localisations(path, 1) }),
    ...(named.options === undefined
      ? {}
      : { options: named.options.map((option) => localise(option, `${path} ${option.name}`)) }),
    ...(named.choices === undefined
      ? {}
      : { choices: named.choices.map((choice) => localiseChoice(choice, `${path} ${choice.value}`)) }),
  };
}

export function localiseChoice<Choice extends { readonly name: string }>(
  choice: Choice,
  path: string,
): Choice {
  const names = localisations(path, 0);
  return names === null ? choice : { ...choice, name_localizations: names };
}

/** The name in one language, for texts that repeat it. */
export function localisedName(path: string, english: string, language: Language): string {
  return language === 'en' ? english : (find(path, language)?.[0] ?? english);
}

/** Null for what is the same everywhere, such as the names of tools. */
function localisations(path: string, part: 0 | 1): LocalizationMap | null {
  const map: LocalizationMap = {};
  for (const language of TRANSLATED) {
    const text = find(path, language)?.[part];
    if (text === undefined) continue;
    for (const locale of LOCALES[language]) map[locale] = text.replace('*', numberOf(path));
  }
  return Object.keys(map).length === 0 ? null : map;
}

function find(path: string, language: Translated): CommandName | undefined {
  const names = COMMAND_NAMES[language];
  return names[path] ?? names[path.replace(/_\d+$/, '_*')];
}

/** The number at the end of a numbered option. */
function numberOf(path: string): string {
  return /_(\d+)$/.exec(path)?.[1] ?? '';
}
