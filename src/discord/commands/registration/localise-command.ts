import {
  Locale,
  type LocalizationMap,
  type RESTPostAPIApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

import { LANGUAGES, LOCALISATIONS, type Language, type Localisation } from './localisations.ts';

const LOCALES: Readonly<Record<Language, readonly Locale[]>> = {
  es: [Locale.SpanishES, Locale.SpanishLATAM],
  'pt-BR': [Locale.PortugueseBR],
  de: [Locale.German],
  fr: [Locale.French],
  tr: [Locale.Turkish],
  ru: [Locale.Russian],
};

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
  const localisation = findLocalisation(path);
  return {
    ...named,
    ...(localisation === null
      ? {}
      : {
          name_localizations: toMap(localisation, 0, numberOf(path)),
          ...(named.description === undefined
            ? {}
            : { description_localizations: toMap(localisation, 1, numberOf(path)) }),
        }),
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
  const localisation = findLocalisation(path);
  return localisation === null ? choice : { ...choice, name_localizations: toMap(localisation, 0, '') };
}

/** Null for what is the same everywhere, such as the names of tools. */
function findLocalisation(path: string): Localisation | null {
  return LOCALISATIONS[path] ?? LOCALISATIONS[path.replace(/_\d+$/, '_*')] ?? null;
}

/** The number at the end of a numbered option. */
function numberOf(path: string): string {
  return /_(\d+)$/.exec(path)?.[1] ?? '';
}

function toMap(localisation: Localisation, part: 0 | 1, number: string): LocalizationMap {
  const map: LocalizationMap = {};
  for (const language of LANGUAGES) {
    const text = localisation[language][part];
    if (text === undefined) continue;
    for (const locale of LOCALES[language]) map[locale] = text.replace('*', number);
  }
  return map;
}
