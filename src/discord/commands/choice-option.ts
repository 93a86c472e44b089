import { ApplicationCommandOptionType } from 'discord-api-types/v10';

/** An option with a list to choose from. Its choices are called what the languages call them, or else their value. */
export function choiceOption(name: string, values: readonly string[]) {
  return {
    type: ApplicationCommandOptionType.String,
    name,
    choices: values.map((value) => ({ name: value, value })),
  } as const;
}
