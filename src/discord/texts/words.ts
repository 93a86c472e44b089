import { CATALOGUE } from './catalogue.ts';
import { languageOf, type Language } from './languages.ts';
import type { AnswerKey, AnswerValues, Forms, ProblemKey, Values } from './text.ts';

/** One language, ready to speak. */
export class Words {
  readonly language: Language;
  readonly #plural: Intl.PluralRules;
  readonly #number: Intl.NumberFormat;
  readonly #list: Intl.ListFormat;

  constructor(language: Language) {
    this.language = language;
    this.#plural = new Intl.PluralRules(language);
    this.#number = new Intl.NumberFormat(language);
    this.#list = new Intl.ListFormat(language);
  }

  /** A text of the catalogue with its places filled. */
  say<Key extends AnswerKey>(key: Key, ...[values]: AnswerValues<Key>): string {
    return this.#fill(CATALOGUE[this.language].answers[key], values ?? {});
  }

  /** What is wrong, and what can be done about it where there is something. */
  problem(key: ProblemKey, values: Values): { readonly error: string; readonly hint: string | null } {
    const [error, hint] = CATALOGUE[this.language].problems[key];
    return {
      error: this.#fill(error, values),
      hint: hint === undefined ? null : this.#fill(hint, values),
    };
  }

  /** The text about something that has its name elsewhere, such as an operation; null where there is none. */
  about(group: 'operation' | 'tells', name: string): string | null {
    const text = new Map<string, string | Forms>(Object.entries(CATALOGUE[this.language].answers)).get(
      `${group}.${name}`,
    );
    return text === undefined ? null : this.#fill(text, {});
  }

  number(value: number): string {
    return this.#number.format(value);
  }

  /** `a, b and c`. */
  list(parts: readonly string[]): string {
    return this.#list.format(parts);
  }

  /** Whole seconds in the largest units: `7 days`, `1 hour and 30 minutes`. */
  duration(seconds: number): string {
    const parts: string[] = [];
    let rest = seconds;
    for (const [unit, size] of UNITS) {
      const count = Math.floor(rest / size);
      rest -= count * size;
      if (count > 0 || (unit === 'second' && parts.length === 0)) parts.push(this.#count(count, unit));
    }
    return this.list(parts);
  }

  /** A UTC day such as `2026-01-31`, without its year. */
  day(day: string): string {
    const format = new Intl.DateTimeFormat(this.language, {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    });
    return format.format(new Date(day));
  }

  #count(count: number, unit: string): string {
    return new Intl.NumberFormat(this.language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  }

  #fill(text: string | Forms, values: Values): string {
    const { n } = values;
    const template =
      typeof text === 'string' ? text : (text[this.#form(typeof n === 'number' ? n : 0)] ?? text.other);
    return template.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? this.number(value) : (value ?? place);
    });
  }

  #form(count: number): keyof Forms {
    const form = this.#plural.select(count);
    return form === 'one' || form === 'few' || form === 'many' ? form : 'other';
  }
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const spoken = new Map<Language, Words>();

/** @param locale of the user, as Discord names it; English for all that we do not speak */
export function wordsFor(locale: string): Words {
  const language = languageOf(locale);
  let words = spoken.get(language);
  if (words === undefined) spoken.set(language, (words = new Words(language)));
  return words;
}
