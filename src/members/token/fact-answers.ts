import { ChannelType } from 'discord-api-types/v10';
import * as z from 'zod';

import { parseAnswer } from './guild-answers.ts';

const bits = z
  .string()
  .regex(/^\d{1,30}$/)
  .transform(BigInt);

const guildSchema = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: bits })),
});

const memberSchema = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
});

const channelSchema = z.object({
  type: z.int(),
  guild_id: z.string().nullish(),
  parent_id: z.string().nullish(),
  permission_overwrites: z.array(z.object({ id: z.string(), allow: bits, deny: bits })).nullish(),
  thread_metadata: z.object({ locked: z.boolean().nullish() }).nullish(),
});

const THREADS: ReadonlySet<number> = new Set([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);
const PRIVATE: ReadonlySet<number> = new Set([ChannelType.PrivateThread]);
const VOICE: ReadonlySet<number> = new Set([ChannelType.GuildVoice, ChannelType.GuildStageVoice]);

/** @throws Problem `discord_unavailable`, as all of these */
export function parseGuildPermissions(body: unknown) {
  const guild = parseAnswer(guildSchema, body);
  return {
    ownerId: guild.owner_id,
    roles: new Map(guild.roles.map(({ id, permissions }) => [id, permissions])),
  };
}

export function parseMember(body: unknown) {
  const member = parseAnswer(memberSchema, body);
  const until = Date.parse(member.communication_disabled_until ?? '');
  return { roleIds: member.roles, timedOutUntil: Number.isNaN(until) ? null : until };
}

export function parseChannel(body: unknown) {
  const channel = parseAnswer(channelSchema, body);
  return {
    guildId: channel.guild_id ?? null,
    parentId: channel.parent_id ?? null,
    overwrites: channel.permission_overwrites ?? [],
    isThread: THREADS.has(channel.type),
    isPrivate: PRIVATE.has(channel.type),
    isLocked: channel.thread_metadata?.locked ?? false,
    isVoice: VOICE.has(channel.type),
  };
}
