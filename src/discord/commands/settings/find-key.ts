import type { APIApplicationCommandOptionChoice } from 'discord-api-types/v10';

import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import { Problem } from '../../../problem.ts';
import type { CommandCall } from '../command.ts';
import type { Invocation } from '../../interactions/invocation.ts';
import type { Services } from '../services.ts';
import { texts } from '../../messages/texts.ts';

/** Discord's limit on choices. */
const CHOICES_MAX = 25;

/** The guild that a command runs in. `/settings` is for servers only, which was checked before. */
export function guildOf(invocation: Invocation): string {
  if (invocation.guildId === null) throw new Problem('bad_request', texts.guildOnly);
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
  const typed = (call.options.focused?.value ?? '').trim().toLowerCase();
  const rotating = call.options.path === 'key rotate';
  return (await services.keys.list(guildOf(call)))
    .filter((entry) => entry.state === 'live' || (entry.state === 'replaced' && !rotating))
    .filter(({ name, publicPart }) => `${name} ${publicPart}`.toLowerCase().includes(typed))
    .slice(0, CHOICES_MAX)
    .map((entry) => ({
      name: `${entry.name} · ${entry.publicPart}${entry.state === 'replaced' ? ' · replaced' : ''}`,
      value: entry.keyId,
    }));
}

/**
 * The working key that was meant: by its id, its public part, or its name as somebody typed it.
 * @throws Problem `not_found`, or `bad_request` when several have that name
 */
export async function findKey(services: Services, guildId: string, wanted: string): Promise<KeyEntry> {
  const working = (await services.keys.list(guildId)).filter((entry) => isWorking(entry));
  const typed = wanted.trim();
  const exact = working.find(({ keyId, publicPart }) => keyId === typed || publicPart === typed);
  if (exact !== undefined) return exact;
  const named = working.filter(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const live = named.filter(({ state }) => state === 'live');
  const [only, ...others] = live.length > 0 ? live : named;
  if (only === undefined) throw new Problem('not_found', texts.keys.notFound(typed));
  if (others.length > 0) throw new Problem('bad_request', texts.keys.ambiguous(typed));
  return only;
}
