import { answers as en } from './en/answers.ts';
import { problems as enProblems } from './en/problems.ts';
import { answers as es } from './es/answers.ts';
import { problems as esProblems } from './es/problems.ts';
import { answers as ptBr } from './pt-br/answers.ts';
import { problems as ptBrProblems } from './pt-br/problems.ts';
import { answers as de } from './de/answers.ts';
import { problems as deProblems } from './de/problems.ts';
import { answers as fr } from './fr/answers.ts';
import { problems as frProblems } from './fr/problems.ts';
import { answers as tr } from './tr/answers.ts';
import { problems as trProblems } from './tr/problems.ts';
import { answers as ru } from './ru/answers.ts';
import { problems as ruProblems } from './ru/problems.ts';
import type { Language } from './languages.ts';
import type { Answers, ProblemTexts } from './text.ts';

/** All languages, each with the keys of English. */
export const CATALOGUE: Readonly<
  Record<Language, { readonly answers: Answers; readonly problems: ProblemTexts }>
> = {
  en: { answers: en, problems: enProblems },
  es: { answers: es, problems: esProblems },
  'pt-BR': { answers: ptBr, problems: ptBrProblems },
  de: { answers: de, problems: deProblems },
  fr: { answers: fr, problems: frProblems },
  tr: { answers: tr, problems: trProblems },
  ru: { answers: ru, problems: ruProblems },
};
