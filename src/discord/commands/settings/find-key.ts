import { PermissionFlagsBits, type APIApplicationCommandOptionChoice } from 'discord-api-types/v10';

import { findKeys, findOlderSecrets, mayMean, toShownKey } from '../../../guild-keys/find-keys.ts';
import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import type { CommandCall } from '../command.ts';
import type { Invocation } from '../../interactions/invocation.ts';
import { inlineCode } from '../../messages/markdown.ts';
import type { Services } from '../services.ts';
import { SpokenProblem } from '../../messages/spoken-problem.ts';
import { wordsFor } from '../../locales/words.ts';

/** What everything under /settings needs, buttons included. */
export const MANAGE_KEYS = PermissionFlagsBits.ManageGuild;

/** Discord's limit on choices. */
const CHOICES_MAX = 25;

/** The guild that a command runs in. `/settings` is for servers only, which was checked before. */
export function guildOf(invocation: Invocation): string {
  if (invocation.guildId === null) throw SpokenProblem.of('bad_request', 'guild_only');
  return invocation.guildId;
}

export function isWorking(entry: KeyEntry): boolean {
  return entry.state === 'live' || entry.state === 'replaced';
}

/** The keys whose name or public part holds what was typed; their ids are the values. */
export async function completeKey(
  call: CommandCall,
  services: Services,
): Promise<readonly APIApplicationCommandOptionChoice[]> {
  const typed = call.options.focused?.value ?? '';
  const replaced = wordsFor(call.locale).say('keys.replaced');
  const rotating = call.options.path === 'key rotate';
  return (await services.keys.list(guildOf(call)))
    .filter((entry) => entry.state === 'live' || (entry.state === 'replaced' && !rotating))
    .filter((entry) => mayMean(entry, typed))
    .slice(0, CHOICES_MAX)
    .map((entry) => ({
      name: `${entry.name} · ${entry.publicPart}${entry.state === 'replaced' ? ` · ${replaced}` : ''}`,
      value: entry.keyId,
    }));
}

/**
 * The working key that was meant: by its id, its public part, or its name as somebody typed it.
 * @throws Problem `not_found`, or `bad_request` when several have that name
 */
export async function findKey(services: Services, guildId: string, wanted: string): Promise<KeyEntry> {
  return (await findKeyToRotate(services, guildId, wanted)).entry;
}

/** The same, with the older secrets of its name that a rotation ends. */
export async function findKeyToRotate(
  services: Services,
  guildId: string,
  wanted: string,
): Promise<{ readonly entry: KeyEntry; readonly older: readonly KeyEntry[] }> {
  const working = (await services.keys.list(guildId)).filter((entry) => isWorking(entry));
  const [entry, ...others] = findKeys(working, wanted);
  const name = inlineCode(toShownKey(wanted));
  if (entry === undefined) throw SpokenProblem.of('not_found', 'key_not_found', { name });
  if (others.length > 0) throw SpokenProblem.of('bad_request', 'key_ambiguous', { name });
  return { entry, older: findOlderSecrets(working, entry) };
}
