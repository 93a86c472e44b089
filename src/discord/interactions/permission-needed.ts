import { PermissionFlagsBits } from 'discord-api-types/v10';

import { permissionLabel } from '../../operations/permissions/permission-labels.ts';
import { SpokenProblem } from '../messages/spoken-problem.ts';
import { wordsFor } from '../locales/words.ts';

/** The permissions that commands ask for. */
const NAMES = new Map([
  [PermissionFlagsBits.ManageGuild, 'MANAGE_GUILD'],
  [PermissionFlagsBits.ManageRoles, 'MANAGE_ROLES'],
]);

/**
 * @param permission one that commands ask for
 * @param locale of the user
 */
export function permissionNeeded(permission: bigint, locale: string): SpokenProblem {
  const name = NAMES.get(permission) ?? 'MANAGE_GUILD';
  return SpokenProblem.of('bad_request', 'permission_needed', {
    permission: permissionLabel(name, wordsFor(locale).language),
  });
}
