import { Locale } from 'discord-api-types/v10';

import type { ProblemCode, ProblemDetail } from '../../problem.ts';
import steps from '../../recipes/steps.en.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ptBr from './pt-BR.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };

/** Codes that only callers over HTTP can get. */
type HttpOnlyCode =
  | 'invalid_json'
  | 'secret_in_url'
  | 'token_malformed'
  | `key_${'missing' | 'malformed' | 'unknown' | 'expired' | 'revoked' | 'suspended'}`
  | 'guild_mismatch'
  | 'operation_not_allowed'
  | 'caller_tokens_disabled'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'unknown_webhook'
  | 'unknown_delivery'
  | 'idempotency_conflict'
  | 'expectation_failed'
  | 'headers_too_large';

/** en.json must have a text for every problem that a user of Discord can meet. */
interface RequiredTexts {
  readonly problems: Readonly<
    Record<Exclude<ProblemCode, HttpOnlyCode> | ProblemDetail['kind'], { readonly error: string }>
  >;
}

/** What recipes say in English. */
const english = { ...en, steps };

/** All texts by language. What English has, the others must have too. */
export const TEXTS = { en: english, de, es, fr, 'pt-BR': ptBr, ru, tr } satisfies Record<
  string,
  typeof english & RequiredTexts
>;

export type Language = keyof typeof TEXTS;
export const LANGUAGES = Object.keys(TEXTS) as readonly Language[];

/** @param locale as Discord names it, such as `es-419`; English for languages that we do not speak */
export function languageOf(locale: string): Language {
  return LANGUAGES.find((language) => locale === language || locale.startsWith(`${language}-`)) ?? 'en';
}

/** Locales of Discord's client that get a translation, with its language. */
export const TRANSLATED_LOCALES = Object.values(Locale)
  .map((locale) => ({ locale, language: languageOf(locale) }))
  .filter(({ language }) => language !== 'en');
