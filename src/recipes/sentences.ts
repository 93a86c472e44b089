import { permissionLabel } from '../operations/permissions/permission-labels.ts';
import { findPermission } from '../operations/permissions/permission-names.ts';
import type { RecipePermission, RecipeUse } from './recipe-definition.ts';

// The replies of commands that fail, which are the same in every builder.

/** The permission as Discord's client names it in English. */
export function recipePermissionLabel(permission: RecipePermission): string {
  return permissionLabel(findPermission(permission)?.name ?? permission, 'en');
}

/** The character before a command: `!` in a message, `/` for a slash command. */
export type CommandPrefix = '!' | '/';

export const SENTENCES = {
  onlyServers: 'This works only in servers.',
  failed: 'That did not work.',
  unreadable: 'The attached file cannot be read.',
  forbidden: "Discord does not let me: check my permissions and my role's place.",
  above: 'Your highest role must be above that of this member.',
  notYours: 'You cannot give permissions that you do not have.',
  noEmoji: 'This picture is too large for an emoji, or of a type that Discord does not take.',
  noMember: (prefix: CommandPrefix) => `Name a member of this server: ${prefix}timeout @member 2h reason`,
  noTime: (prefix: CommandPrefix) => `Say for how long, at most 28 days: ${prefix}timeout @member 2h reason`,
  needs: (permission: RecipePermission) => `You need the permission ${recipePermissionLabel(permission)}.`,
  /** A request without an answer may still have posted its text, so the reply says to check the channel first. */
  unreachable: (use: RecipeUse | readonly string[]) =>
    use === 'post_text'
      ? 'The service cannot be reached. Look into the channel before you try again.'
      : 'The service cannot be reached. Try again in a minute.',
} as const;

/** Discord's longest time out. */
export const TIMEOUT_SECONDS_MAX = 28 * 24 * 60 * 60;

/** Characters of a reason in Discord's audit log. */
export const AUDIT_REASON_MAX = 512;
