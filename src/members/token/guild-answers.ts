import * as z from 'zod';

import { Problem } from '../../problem.ts';

export interface GuildFacts {
  readonly roleIds: ReadonlySet<string>;
  /** Discord's approximate number of members, null when it says none. */
  readonly memberCount: number | null;
}

export interface ListedMember {
  readonly userId: string;
  readonly roleIds: readonly string[];
}

/** Members by role id, without @everyone. A role without members may be missing. */
export type RoleCounts = ReadonlyMap<string, number>;

const guildSchema = z.object({
  roles: z.array(z.object({ id: z.string() })),
  approximate_member_count: z.number().int().nonnegative().nullish(),
});

const countsSchema = z.record(z.string(), z.number().int().nonnegative());

const membersSchema = z.array(z.object({ user: z.object({ id: z.string() }), roles: z.array(z.string()) }));

/** @throws Problem `discord_unavailable` */
export function parseGuild(body: unknown): GuildFacts {
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
  }));
}

/** @throws Problem `discord_unavailable` */
export function parseAnswer<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join('.') ?? '';
  throw new Problem('discord_unavailable', {
    // The issues of zod hold parts of the body; the path is enough to find out what has changed.
    cause: new Error(`An answer of Discord has another form than documented, at "${path}"`),
  });
}
