import type { RecipePermission } from '../operations/operation.ts';

// What commands say when they cannot do what they were asked for: the same in every tool.

/** Permissions as Discord's clients name them. */
export const PERMISSION_LABELS: Readonly<Record<RecipePermission, string>> = {
  ManageGuildExpressions: 'Manage Expressions',
  ManageMessages: 'Manage Messages',
  ManageRoles: 'Manage Roles',
  ModerateMembers: 'Timeout Members',
};

export const AWAY = 'The service cannot be reached. Try again in a minute.';
/** What was asked for may have been done. */
export const LOST = 'The service cannot be reached. Look into the channel before you try again.';
export const FORBIDDEN = "Discord does not let me: check my permissions and my role's place.";
export const ABOVE = 'Your highest role must be above that of this member.';
export const NOT_YOURS = 'You cannot give permissions that you do not have.';
export const NO_EMOJI = 'This picture is too large for an emoji, or of a type that Discord does not take.';
export const PENDING = 'The members are still being counted. Try again in a minute.';
export const POSTING = 'The text is being posted. It is long, so that takes a little while.';

/** How a command is called: as a message that starts with it, or as a slash command. */
export type Start = '!' | '/';

export const noMember = (start: Start) => `Name a member of this server: ${start}timeout @member 2h reason`;
export const noTime = (start: Start) =>
  `Say for how long, at most 28 days: ${start}timeout @member 2h reason`;
export const needs = (permission: RecipePermission) =>
  `You need the permission ${PERMISSION_LABELS[permission]}.`;

/** Discord's longest time out. */
export const TIMEOUT_SECONDS_MAX = 28 * 24 * 60 * 60;
