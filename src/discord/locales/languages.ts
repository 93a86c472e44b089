import { Locale } from 'discord-api-types/v10';

import { OPERATIONS } from '../../operations/index.ts';
import type { SpokenKey } from '../../problem.ts';
import sentences from '../../problems.en.json' with { type: 'json' };
import steps from '../../recipes/steps.en.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ptBr from './pt-BR.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };

/** Every sentence that a user of Discord can get. */
type Problems = Readonly<Record<SpokenKey, { readonly error: string; readonly hint?: string }>>;
/** What an operation does, by its name. */
type Summaries = Readonly<Record<string, string>>;
type Texts = Omit<typeof en, 'problems'> & {
  readonly answers: { readonly operation: Summaries };
  readonly problems: Problems;
  readonly steps: typeof steps;
};

/**
 * What operations do, what recipes say, and what the API says of failures, unless en.json has other sentences for users
 * of Discord.
 */
const english = {
  ...en,
  answers: {
    ...en.answers,
    operation: Object.fromEntries(
      OPERATIONS.map(({ name, summary }) => [name, uncapitalise(summary)]),
    ) as Summaries,
  },
  steps,
  problems: {
    ...Object.fromEntries(Object.entries(sentences).filter(([, sentence]) => !('only' in sentence))),
    ...en.problems,
  } as Problems,
};

/** All texts by language. What English has, the others must have too. */
export const TEXTS = { en: english, de, es, fr, 'pt-BR': ptBr, ru, tr } satisfies Record<string, Texts>;

export type Language = keyof typeof TEXTS;
export const LANGUAGES = Object.keys(TEXTS) as readonly Language[];

/** It follows the name of the operation. */
function uncapitalise(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** @param locale as Discord names it, such as `es-419`; English for languages that we do not speak */
export function languageOf(locale: string): Language {
  return LANGUAGES.find((language) => locale === language || locale.startsWith(`${language}-`)) ?? 'en';
}

/** Locales of Discord's client that get a translation, with its language. */
export const TRANSLATED_LOCALES = Object.values(Locale)
  .map((locale) => ({ locale, language: languageOf(locale) }))
  .filter(({ language }) => language !== 'en');
