import de from './names/de.json' with { type: 'json' };
import en from './names/en.json' with { type: 'json' };
import es from './names/es.json' with { type: 'json' };
import fr from './names/fr.json' with { type: 'json' };
import ptBr from './names/pt-BR.json' with { type: 'json' };
import ru from './names/ru.json' with { type: 'json' };
import tr from './names/tr.json' with { type: 'json' };

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

/** Labels that differ only in case, accents, blanks or punctuation are the same. */
export function foldLabel(label: string): string {
  return label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll(/[\s\p{P}\p{M}\p{Cf}]+/gu, '');
}
