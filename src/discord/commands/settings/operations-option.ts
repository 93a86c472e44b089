import type {
  APIApplicationCommandOptionChoice,
  AutocompleteInteraction,
  ChatInputCommandInteraction,
} from 'discord.js';

import { ALL_BUT_MEMBERS, ALL_OPERATIONS } from '../../../operations/operation-choice.ts';
import { localiseChoice } from '../../locales/localise-command.ts';
import { CHOICE_LENGTH_MAX, CHOICES_MAX, type CommandContext } from '../command.ts';
import { wordsFor } from '../../locales/words.ts';

const PATH = 'settings.options.key.options.create.options.operations';
/** Many operations in one choice. */
const WHOLE_CHOICES = ([ALL_OPERATIONS, ALL_BUT_MEMBERS] as const).map((value) =>
  localiseChoice({ name: value, value }, PATH),
);

/** Names of a choice for many operations: its value, its English name, and its name in the language of the user. */
function namesOf({ name, value }: (typeof WHOLE_CHOICES)[number], locale: string): readonly string[] {
  const own = wordsFor(locale).name(`${PATH}.choices.${value}`);
  return [value, name, own].map((each) => fold(each, locale));
}

function fold(text: string, locale: string): string {
  return text.normalize().trim().toLocaleLowerCase(locale);
}

/** The value of a choice for many whose name was typed in full, or picked; else what was typed. */
export function readOperationsOption({ options, locale }: ChatInputCommandInteraction): string {
  const typed = options.getString('operations') ?? ALL_OPERATIONS;
  return (
    WHOLE_CHOICES.find((choice) => namesOf(choice, locale).includes(fold(typed, locale)))?.value ?? typed
  );
}

/** Offers one of two choices for many operations, or names of operations, of which the last is being typed. */
export async function completeOperations(
  { options, locale }: AutocompleteInteraction,
  context: CommandContext,
): Promise<readonly APIApplicationCommandOptionChoice[]> {
  const typed = options.getFocused();
  const [, before = '', last = ''] = /^(.*,\s*)?(.*)$/s.exec(typed.toLowerCase()) ?? [];
  const chosen = new Set(before.split(',').map((name) => name.trim()));
  const names = context.operations
    .map(({ name }) => name)
    .filter((name) => !chosen.has(name) && name.includes(last.trim()))
    .map((name) => `${before}${name}`)
    .filter((value) => value.length <= CHOICE_LENGTH_MAX)
    .map((value) => ({ name: value, value }));
  const whole = WHOLE_CHOICES.filter((choice) =>
    namesOf(choice, locale).some((name) => name.startsWith(fold(typed, locale))),
  );
  return [...whole, ...names].slice(0, CHOICES_MAX);
}
