import { codeOf, fillPlaceholders, type ProblemTextKey, type Values } from '../../kernel/problem.ts';
import { PERMISSION_LABELS, permissionLabel } from '../../operations/permissions/permission-labels.ts';
import type { Step } from '../../recipes/steps.ts';
import { languageOf, TEXTS, type Language } from './languages.ts';

type English = (typeof TEXTS)['en'];
type WithoutPluralForm<Key extends string> = Key extends `${infer Base}_${Intl.LDMLPluralRule}` ? Base : Key;
/** The keys of all texts in a tree, joined by dots. */
type KeysOf<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? WithoutPluralForm<Key>
    : `${Key}.${KeysOf<Tree[Key]>}`;
}[keyof Tree & string];

export type TranslationKey = KeysOf<English['answers']>;
export type CommandTextKey = KeysOf<English['commands']>;

/** Recipes are written in English, permissions included. */
const NAMES_BY_ENGLISH_LABEL = new Map(
  Array.from(PERMISSION_LABELS.get('en') ?? [], ([name, label]) => [label, name]),
);

/** The texts of one language. */
export class Translator {
  readonly language: Language;

  constructor(language: Language) {
    this.language = language;
  }

  /** An answer or the label of a button, with its placeholders filled. */
  translate(key: TranslationKey, values: Values = {}): string {
    return this.#find('answers', key, values) ?? key;
  }

  /**
   * The hint is null when the user can do nothing about the problem. A sentence that only HTTP callers get is replaced
   * by the one for its code.
   */
  problem(key: ProblemTextKey, values: Values): { readonly error: string; readonly hint: string | null } {
    const found = [key, codeOf(key)].find((each) => each in TEXTS.en.problems) ?? 'internal';
    return {
      error: this.#find('problems', `${found}.error`, values) ?? found,
      hint: this.#find('problems', `${found}.hint`, values),
    };
  }

  /** The text about a named item, such as an operation, or null. */
  about(group: 'operation' | 'reveals', name: string): string | null {
    return this.#find('answers', `${group}.${name}`, {});
  }

  /**
   * The sentence for a step of a recipe. `permission` is one that the reader looks for in Discord, which names it in
   * their language; what a builder calls it stays.
   */
  step({ key, values, text }: Step): string {
    const { permission } = values;
    const name = permission === undefined ? undefined : NAMES_BY_ENGLISH_LABEL.get(permission);
    const shown =
      name === undefined ? values : { ...values, permission: permissionLabel(name, this.language) };
    return this.#find('steps', key, shown) ?? text;
  }

  /** The name of a command, an option or a choice. */
  name(key: CommandTextKey): string {
    return this.command(key, {}) ?? key;
  }

  /** A name or a description by its path, or null without a text, as for names of builders. */
  command(path: string, values: Values): string | null {
    return this.#find('commands', path, values);
  }

  number(value: number): string {
    return value.toLocaleString(this.language);
  }

  /** `a, b and c`. */
  list(parts: readonly string[]): string {
    return new Intl.ListFormat(this.language).format(parts);
  }

  /** Whole seconds in the largest units: `7 days`, `1 hour and 30 minutes`. */
  duration(seconds: number): string {
    const parts: string[] = [];
    let rest = seconds;
    for (const [unit, size] of UNITS) {
      const count = Math.floor(rest / size);
      rest -= count * size;
      if (count > 0 || (unit === 'second' && parts.length === 0)) {
        parts.push(count.toLocaleString(this.language, { style: 'unit', unit, unitDisplay: 'long' }));
      }
    }
    return this.list(parts);
  }

  /** A UTC day such as `2026-01-31`, without its year. */
  day(day: string): string {
    const format = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
    return new Date(day).toLocaleDateString(this.language, format);
  }

  /**
   * Fills the placeholders in one pass, because a key of this service may be named `{part}` and must be shown like
   * that.
   */
  #find(namespace: keyof English, key: string, values: Values): string | null {
    const text =
      findText(this.language, namespace, key, values['n']) ?? findText('en', namespace, key, values['n']);
    return text === null ? null : fillPlaceholders(text, values, (value) => this.number(value));
  }
}

/**
 * Finds a text in the *i18next JSON v4* files. The key is a path with dots, and plural forms end in `_one`, `_other` …
 */
function findText(
  language: Language,
  namespace: keyof English,
  key: string,
  n: Values[string] | undefined,
): string | null {
  const form = typeof n === 'number' ? `_${new Intl.PluralRules(language).select(n)}` : '';
  for (const path of new Set([key + form, key])) {
    let at: unknown = TEXTS[language][namespace];
    for (const name of path.split('.')) {
      at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : null;
    }
    if (typeof at === 'string') return at;
  }
  return null;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** @param locale of the user, as Discord names it; unknown languages get English */
export function translatorFor(locale: string): Translator {
  return new Translator(languageOf(locale));
}
