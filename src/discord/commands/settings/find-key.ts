import {
  PermissionFlagsBits,
  time,
  type ApplicationCommandOptionChoiceData,
  type AutocompleteInteraction,
} from 'discord.js';

import {
  endOf,
  findEndedKey,
  findKeys,
  findOlderSecrets,
  mayMean,
  toShownKey,
} from '../../../guild-keys/find-keys.ts';
import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import { Problem } from '../../../kernel/problem.ts';
import { inlineCode } from '../../messages/markdown.ts';
import { CHOICES_MAX, type CommandContext } from '../command.ts';
import { required, textOption } from '../options.ts';
import { guildOf } from '../permitted.ts';
import { translatorFor } from '../../locales/translator.ts';

/** Needed for everything under /settings, buttons included. */
export const MANAGE_KEYS = PermissionFlagsBits.ManageGuild;

export function isWorking(entry: KeyEntry): boolean {
  return entry.state === 'current' || entry.state === 'replaced';
}

/** An option for the name of a key. */
export const keyOption = required(textOption({ max_length: 100, complete: suggestKeys }));

/** Suggests keys whose name or public part contains the typed text, with their ids as values. */
async function suggestKeys(
  interaction: AutocompleteInteraction,
  context: CommandContext,
): Promise<readonly ApplicationCommandOptionChoiceData[]> {
  const typed = interaction.options.getFocused();
  const replaced = translatorFor(interaction.locale).translate('keys.replaced');
  const rotating = interaction.options.getSubcommand() === 'rotate';
  return (await context.keys.list(guildOf(interaction)))
    .filter((entry) => entry.state === 'current' || (entry.state === 'replaced' && !rotating))
    .filter((entry) => mayMean(entry, typed))
    .slice(0, CHOICES_MAX)
    .map((entry) => ({
      name: `${entry.name} · ${entry.publicPart}${entry.state === 'replaced' ? ` · ${replaced}` : ''}`,
      value: entry.keyId,
    }));
}

/**
 * Finds the working key that the user means by its id, its public part, or its name, and the older secrets of that name,
 * which end when it is revoked.
 * @throws Problem `not_found`, or `bad_request` when several keys have that name
 */
export async function findKey(
  context: CommandContext,
  guildId: string,
  wanted: string,
): Promise<{ readonly entry: KeyEntry; readonly older: readonly KeyEntry[] }> {
  const all = await context.keys.list(guildId);
  const working = all.filter((entry) => isWorking(entry));
  const [entry, ...others] = findKeys(working, wanted);
  const name = inlineCode(toShownKey(wanted));
  if (entry === undefined) {
    const ended = findEndedKey(all, wanted);
    throw ended === null ? new Problem('not_found/key_name', { values: { name } }) : endedProblem(ended);
  }
  if (others.length > 0) throw new Problem('bad_request/key_name', { values: { name } });
  return { entry, older: findOlderSecrets(working, entry) };
}

function endedProblem(entry: KeyEntry): Problem {
  return new Problem(entry.revokedAt === null ? 'not_found/key_expired' : 'not_found/key_revoked', {
    values: { name: inlineCode(entry.name), at: time(new Date(endOf(entry)), 'R') },
  });
}
