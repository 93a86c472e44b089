import { PermissionFlagsBits } from 'discord-api-types/v10';

/** What everything under /settings needs, buttons included. */
export const MANAGE_KEYS = PermissionFlagsBits.ManageGuild;
