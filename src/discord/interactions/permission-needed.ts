import { PermissionFlagsBits } from 'discord-api-types/v10';

import { SpokenProblem } from '../messages/spoken-problem.ts';
import { wordsFor } from '../locales/words.ts';

/** The permissions that commands ask for, as Discord's client calls them. */
const NAMES = new Map<bigint, `permission.${'MANAGE_GUILD' | 'MANAGE_ROLES'}`>([
  [PermissionFlagsBits.ManageGuild, 'permission.MANAGE_GUILD'],
  [PermissionFlagsBits.ManageRoles, 'permission.MANAGE_ROLES'],
]);

/**
 * @param permission one that commands ask for
 * @param locale of the user
 */
export function permissionNeeded(permission: bigint, locale: string): SpokenProblem {
  const key = NAMES.get(permission) ?? 'permission.MANAGE_GUILD';
  return SpokenProblem.of('bad_request', 'permission_needed', { permission: wordsFor(locale).say(key) });
}
