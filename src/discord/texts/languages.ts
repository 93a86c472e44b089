import { Locale } from 'discord-api-types/v10';

/** Languages beside English, with the locales of Discord's client that get them. */
export const LOCALES = {
  es: [Locale.SpanishES, Locale.SpanishLATAM],
  'pt-BR': [Locale.PortugueseBR],
  de: [Locale.German],
  fr: [Locale.French],
  tr: [Locale.Turkish],
  ru: [Locale.Russian],
} as const satisfies Record<string, readonly Locale[]>;

/** A language beside English. */
export type Translated = keyof typeof LOCALES;
export type Language = 'en' | Translated;

export const TRANSLATED = Object.keys(LOCALES) as readonly Translated[];

const BY_LOCALE: ReadonlyMap<string, Language> = new Map(
  TRANSLATED.flatMap((language) => LOCALES[language].map((locale) => [locale, language] as const)),
);

/** @param locale as Discord names it; English for all that we do not speak */
export function languageOf(locale: string): Language {
  return BY_LOCALE.get(locale) ?? 'en';
}
