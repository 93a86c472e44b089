import type { APIApplicationCommandOptionChoice } from 'discord-api-types/v10';

import { ALL_BUT_MEMBERS, ALL_OPERATIONS } from '../../../operations/operation-choice.ts';
import type { CommandCall } from '../command.ts';
import { localiseChoice } from '../registration/localise-command.ts';
import type { Services } from '../services.ts';

/** Discord's limits. */
const CHOICES_MAX = 25;
const CHOICE_LENGTH_MAX = 100;

const WHOLE_CHOICES = [
  { name: 'All operations', value: ALL_OPERATIONS },
  { name: 'All but members', value: ALL_BUT_MEMBERS },
].map((choice) => localiseChoice(choice, `settings key create operations ${choice.value}`));

/** What a key may call: one of two words for many, or names, of which the last is being typed. */
export async function completeOperations(
  call: CommandCall,
  services: Services,
): Promise<readonly APIApplicationCommandOptionChoice[]> {
  const typed = (call.options.focused?.value ?? '').toLowerCase();
  const [, before = '', last = ''] = /^(.*,\s*)?(.*)$/s.exec(typed) ?? [];
  const chosen = new Set(before.split(',').map((name) => name.trim()));
  const names = services.operations
    .map(({ name }) => name)
    .filter((name) => !chosen.has(name) && name.includes(last.trim()))
    .map((name) => `${before}${name}`)
    .filter((value) => value.length <= CHOICE_LENGTH_MAX)
    .map((value) => ({ name: value, value }));
  const whole = WHOLE_CHOICES.filter(({ value }) => value.startsWith(typed));
  return [...whole, ...names].slice(0, CHOICES_MAX);
}
