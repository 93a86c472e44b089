import { ApplicationCommandOptionType, type APIApplicationCommandStringOption } from 'discord-api-types/v10';

/** An option with a list to choose from. */
export function choiceOption(
  name: string,
  description: string,
  choices: readonly (readonly [value: string, label: string])[],
) {
  return {
    type: ApplicationCommandOptionType.String,
    name,
    description,
    choices: choices.map(([value, label]) => ({ name: label, value })),
  } as const satisfies APIApplicationCommandStringOption;
}
