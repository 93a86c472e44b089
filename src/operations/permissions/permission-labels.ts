import de from './names/de.json' with { type: 'json' };
import en from './names/en.json' with { type: 'json' };
import es from './names/es.json' with { type: 'json' };
import fr from './names/fr.json' with { type: 'json' };
import ptBr from './names/pt-BR.json' with { type: 'json' };
import ru from './names/ru.json' with { type: 'json' };
import tr from './names/tr.json' with { type: 'json' };
import { SHORT_LABELS } from './short-labels.ts';

/** Names of permissions in Discord's clients, by language and canonical name. */
export const PERMISSION_LABELS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries({ en, de, es, fr, 'pt-BR': ptBr, ru, tr } satisfies Record<string, typeof en>).map(
    ([language, labels]) => [language, new Map(Object.entries(labels))],
  ),
);

/**
 * The name of a permission in Discord's client: `Manage Server` for `MANAGE_GUILD`.
 * @param name the canonical name
 * @param language such as `de` or `pt-BR`; English for languages that are not in names/
 */
export function permissionLabel(name: string, language: string): string {
  const labels = PERMISSION_LABELS.get(language) ?? PERMISSION_LABELS.get('en');
  return labels?.get(name) ?? name;
}

/** The label of a permission in a language, and its earlier short ones. */
export function listLabels(name: string, language: string): readonly string[] {
  return [permissionLabel(name, language), ...(SHORT_LABELS[language]?.[name] ?? [])];
}

/** Articles of our languages, also contracted with a preposition, and words that are mistaken for one. */
const ARTICLES = new Set(
  `the a an el la lo los las un una unos unas del o os as um uma do da dos das le les l une des du de d
   der die das den dem ein eine einen`.split(/\s+/),
);

/** The words of a text without articles, which people omit or add. */
export function splitWithoutArticles(text: string, between: RegExp): string[] {
  return text.split(between).filter((word) => word !== '' && !ARTICLES.has(word.toLowerCase()));
}

/** Folds a label so that articles, case, accents, blanks and punctuation do not count. */
export function foldPhrase(label: string): string {
  return foldLabel(splitWithoutArticles(label, /[^\p{L}\p{M}\p{N}]+/u).join(' '));
}

/** Folds a label so that case, accents, blanks and punctuation do not count. */
export function foldLabel(label: string): string {
  return label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll(/[\s\p{P}\p{M}\p{Cf}]+/gu, '');
}
