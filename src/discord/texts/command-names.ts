import { commands as es } from './es/commands.ts';
import { commands as ptBr } from './pt-br/commands.ts';
import { commands as de } from './de/commands.ts';
import { commands as fr } from './fr/commands.ts';
import { commands as tr } from './tr/commands.ts';
import { commands as ru } from './ru/commands.ts';
import type { CommandName } from './command-name.ts';
import type { Translated } from './languages.ts';

/** All languages but English, which is in the commands themselves. */
export const COMMAND_NAMES: Readonly<Record<Translated, Readonly<Record<string, CommandName>>>> = {
  es,
  'pt-BR': ptBr,
  de,
  fr,
  tr,
  ru,
};
