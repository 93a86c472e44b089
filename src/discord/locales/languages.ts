import { Locale } from 'discord-api-types/v10';

import { OPERATIONS } from '../../operations/index.ts';
import type { TranslatedProblemTextKey } from '../../kernel/problem.ts';
import sentences from '../../kernel/problems.en.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ptBr from './pt-BR.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };

/** Every sentence that Discord users can get. */
type Problems = Readonly<
  Record<TranslatedProblemTextKey, { readonly error: string; readonly hint?: string }>
>;
/** Summaries by the name of the operation. */
type Summaries = Readonly<Record<string, string>>;
type Texts = Omit<typeof en, 'problems'> & {
  readonly answers: { readonly operation: Summaries };
  readonly problems: Problems;
};

/**
 * English: summaries of operations, and the API's sentences about failures, except where en.json has a different one
 * for Discord users.
 */
const english = {
  ...en,
  answers: {
    ...en.answers,
    operation: Object.fromEntries(
      OPERATIONS.map(({ name, summary }) => [name, uncapitalise(summary)]),
    ) as Summaries,
  },
  problems: {
    ...Object.fromEntries(
      Object.entries(sentences)
        .filter(([, sentence]) => !('only' in sentence))
        .map(([key, sentence]) => [key, withoutToolHint(sentence)]),
    ),
    ...en.problems,
  } as Problems,
};

function withoutToolHint(sentence: object): object {
  return Object.fromEntries(Object.entries(sentence).filter(([part]) => part !== 'tool_hint'));
}

/** The recipe steps that a message with a new key shows, by group and name. The English ones are in the recipes. */
type Steps = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** All texts by language. The other languages must have everything that English has, and the sentences of `steps`. */
export const TEXTS = { en: { ...english, steps: {} }, de, es, fr, 'pt-BR': ptBr, ru, tr } satisfies Record<
  string,
  Texts & { readonly steps: Steps }
>;

export type Language = keyof typeof TEXTS;
export const LANGUAGES = Object.keys(TEXTS) as readonly Language[];

/** The name of the operation comes before the summary. */
function uncapitalise(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** @param locale as Discord names it, such as `es-419`; unknown languages get English */
export function languageOf(locale: string): Language {
  return LANGUAGES.find((language) => locale === language || locale.startsWith(`${language}-`)) ?? 'en';
}

/** The locales of Discord's client that we translate for, with our language for each. */
export const TRANSLATED_LOCALES = Object.values(Locale)
  .map((locale) => ({ locale, language: languageOf(locale) }))
  .filter(({ language }) => language !== 'en');
