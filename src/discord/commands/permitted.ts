import { Constants, PermissionFlagsBits, type BaseInteraction } from 'discord.js';

import { permissionLabel } from '../../operations/permissions/permission-labels.ts';
import { PERMISSIONS } from '../../operations/permissions/permission-table.ts';
import { Problem } from '../../kernel/problem.ts';
import { translatorFor } from '../locales/translator.ts';

type Permitted = Pick<BaseInteraction, 'guildId' | 'memberPermissions'>;

const THREADS: ReadonlySet<unknown> = new Set(Constants.ThreadChannelTypes);

/** True for threads, where writing needs another permission. */
export function isThread(channelType: number | undefined): boolean {
  return THREADS.has(channelType);
}

/**
 * True when the user has the permission in this channel. Administrators have all permissions, and so have all users in
 * direct messages. If a server sends no permissions, the user has none.
 */
export function isPermitted({ guildId, memberPermissions }: Permitted, permission: bigint): boolean {
  return memberPermissions === null ? guildId === null : memberPermissions.has(permission);
}

/**
 * True when the user may write in this channel themselves. Discord makes answers of user-installed apps private in
 * servers that do not allow them.
 */
export function mayPostPublicly(
  interaction: Permitted & { readonly authorizingIntegrationOwners: { readonly guildId: string | null } },
  inThread: boolean,
  withFiles: boolean,
): boolean {
  const { SendMessages, SendMessagesInThreads, AttachFiles, UseExternalApps } = PermissionFlagsBits;
  const isOfGuild = interaction.authorizingIntegrationOwners.guildId !== null;
  return (
    isPermitted(interaction, inThread ? SendMessagesInThreads : SendMessages) &&
    (!withFiles || isPermitted(interaction, AttachFiles)) &&
    (isOfGuild || isPermitted(interaction, UseExternalApps))
  );
}

/**
 * Discord hides commands by permission, but an admin can change that, and a button outlives a permission.
 * @throws Problem `bad_request` in direct messages, or when the user does not have it
 */
export function requirePermission(interaction: BaseInteraction, permission: bigint): void {
  guildOf(interaction);
  if (isPermitted(interaction, permission)) return;
  const name = PERMISSIONS.find(({ value }) => value === permission)?.name ?? String(permission);
  throw new Problem('bad_request/permission', {
    values: {
      permission: permissionLabel(name, translatorFor(interaction.locale).language),
    },
  });
}

/** @throws Problem `bad_request` in direct messages */
export function guildOf({ guildId }: Pick<BaseInteraction, 'guildId'>): string {
  if (guildId === null) throw new Problem('bad_request/guild_only');
  return guildId;
}
