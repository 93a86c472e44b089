import { ChannelType, GuildMFALevel } from 'discord-api-types/v10';
import * as z from 'zod';

import { nonNegativeInt } from '../kernel/schemas.ts';

import { Problem } from '../kernel/problem.ts';

export interface GuildInfo {
  readonly roleIds: ReadonlySet<string>;
  /** Discord's approximate number of members, or null if Discord gives none. */
  readonly memberCount: number | null;
}

export interface ListedMember {
  readonly userId: string;
  readonly roleIds: readonly string[];
  readonly isBot: boolean;
}

/** Holders by role id. Roles without holders may be missing, and @everyone always is. */
export type RoleCounts = ReadonlyMap<string, number>;

const guildSchema = z.object({
  roles: z.array(z.object({ id: z.string() })),
  approximate_member_count: nonNegativeInt.nullish(),
});

const countsSchema = z.record(z.string(), nonNegativeInt);

const membersSchema = z.array(
  z.object({
    user: z.object({ id: z.string(), bot: z.boolean().nullish() }),
    roles: z.array(z.string()),
  }),
);

/** @throws Problem `discord_unavailable` */
export function parseGuild(body: unknown): GuildInfo {
  const guild = parseAnswer(guildSchema, body);
  return {
    roleIds: new Set(guild.roles.map((role) => role.id)),
    memberCount: guild.approximate_member_count ?? null,
  };
}

/** @throws Problem `discord_unavailable` */
export function parseRoleCounts(body: unknown): RoleCounts {
  return new Map(Object.entries(parseAnswer(countsSchema, body)));
}

/** @throws Problem `discord_unavailable` */
export function parseMembers(body: unknown): ListedMember[] {
  return parseAnswer(membersSchema, body).map((member) => ({
    userId: member.user.id,
    roleIds: member.roles,
    isBot: member.user.bot ?? false,
  }));
}

const bits = z
  .string()
  .regex(/^\d{1,30}$/)
  .transform(BigInt);

const guildPermissionsSchema = z.object({
  owner_id: z.string(),
  mfa_level: z.int().nullish(),
  roles: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      permissions: bits,
      position: z.int(),
      managed: z.boolean().nullish(),
    }),
  ),
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

/** @throws Problem `discord_unavailable` */
export function parseGuildPermissions(body: unknown) {
  const guild = parseAnswer(guildPermissionsSchema, body);
  return {
    ownerId: guild.owner_id,
    requiresTwoFactor: guild.mfa_level === GuildMFALevel.Elevated,
    roles: new Map(
      guild.roles.map(({ id, name, permissions, position, managed }) => [
        id,
        { name, permissions, position, isManaged: managed ?? false },
      ]),
    ),
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

/** @throws Problem `discord_unavailable` */
function parseAnswer<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join('.') ?? '';
  throw new Problem('discord_unavailable', {
    // zod's issues hold parts of the body, so only the path is logged.
    cause: new Error(`An answer of Discord has another form than documented, at "${path}"`),
  });
}
