import type { answers } from './en/answers.ts';
import type { problems } from './en/problems.ts';
import type { Language } from './languages.ts';

type EnglishAnswers = typeof answers;
type EnglishProblems = typeof problems;
export type AnswerKey = keyof EnglishAnswers;
export type ProblemKey = keyof EnglishProblems;

/** A text whose words follow a number: its forms, as Intl.PluralRules names them. */
export interface Forms {
  readonly one?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** The forms that whole numbers need. */
type FormsIn<Spoken extends Language> = Spoken extends 'ru'
  ? Required<Forms>
  : Forms & { readonly one: string };

/** All answers in one language. A key that is missing does not compile. */
export type AnswersIn<Spoken extends Language> = {
  readonly [Key in AnswerKey]: EnglishAnswers[Key] extends string ? string : FormsIn<Spoken>;
};
export type Answers = { readonly [Key in AnswerKey]: string | Forms };

/** All problems in one language: what is wrong, and a hint where English has one. */
export type ProblemTexts = {
  readonly [Key in ProblemKey]: EnglishProblems[Key] extends readonly [string, string]
    ? readonly [error: string, hint: string]
    : readonly [error: string];
};

type PlacesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlacesIn<Rest>
  : never;
type PlacesOf<Entry> = Entry extends string
  ? PlacesIn<Entry>
  : Entry extends Readonly<Record<string, string>> | readonly string[]
    ? PlacesIn<Entry[keyof Entry] & string>
    : never;

/** Values for the places of a text, by name. Numbers are written as the language writes them. */
export type Values = Readonly<Record<string, string | number>>;
type ValuesFor<Entry> = [PlacesOf<Entry>] extends [never]
  ? []
  : [values: { readonly [Place in PlacesOf<Entry>]: Place extends 'n' ? number : string | number }];
export type AnswerValues<Key extends AnswerKey> = ValuesFor<EnglishAnswers[Key]>;
export type ProblemValues<Key extends ProblemKey> = ValuesFor<EnglishProblems[Key]>;
