import type { Operators } from '../form.ts';
import type { Pair, RecipeParts } from '../recipe.ts';
import { mapFirstRoles, mapLaterChunks, withChunksMax, withOption } from '../request-fields.ts';
import type { ShowKey } from '../seen-in-discord.ts';
import type { Check } from '../steps.ts';

// BotGhost and Kite both make slash commands of blocks, without loops, with the fields in the URL.

/** The builder's variables for the option, the member who wrote the command and the server. */
interface Variables {
  readonly option: (name: string) => string;
  readonly user: string;
  readonly guild: string;
}

/** The fields of a request. Any status but 200 would end the command before it can show the error. */
export function fieldsOf(parts: RecipeParts, variables: Variables): Pair[] {
  const { main, mainField, argumentOptions } = parts;
  const flat = withOption(withChunksMax(argumentOptions, parts), 'flat', 'true');
  return [[mainField, main ?? variableOf(parts, variables)], ...withOption(flat, 'always_200', 'true')];
}

/** The variable that fills the main field. */
export function variableOf({ filledBy, mainField }: RecipeParts, { option, user, guild }: Variables): string {
  if (filledBy === 'user') return user;
  if (filledBy === 'guild') return guild;
  return option(filledBy === 'role' ? 'role' : mainField);
}

/** A message for each of the first roles that the server has. */
export function roleChecks(value: ShowKey, { isNotEmpty: [check, right] }: Operators): Check[] {
  return mapFirstRoles((id, count) => ({
    left: value(id),
    check,
    right,
    also: [],
    reply: `${value(id)}: ${value(count)}`,
  }));
}

/** A message for each chunk after the first. */
export function laterChunkChecks(value: ShowKey, { isAbove }: Operators): Check[] {
  return mapLaterChunks((number) => {
    const [check, right] = isAbove(number - 1);
    return { left: value('count'), check, right, also: [], reply: value(`chunks_${number}`) };
  });
}
