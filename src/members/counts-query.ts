import { createHash } from 'node:crypto';
import * as z from 'zod';

import { compareSnowflakes } from '../kernel/snowflake.ts';
import type { RoleCount } from './index/member-index.ts';
import { defineQuery, type GuildQuestion } from './member-directory.ts';
import { nonNegativeInt, shortText, snowflake } from '../kernel/schemas.ts';

/** The number of holders of each role in a guild. */
export interface GuildRoleCounts {
  /** All members of the guild. */
  readonly members: number;
  /** Ascending by id, without @everyone. */
  readonly roles: readonly RoleCount[];
  /** Unix seconds of the last change of this answer. */
  readonly asOf: number;
  /** Like `version` of `RoleMembersResult`. */
  readonly version: string;
}

const countsSchema: z.ZodType<GuildRoleCounts> = z.object({
  members: nonNegativeInt,
  roles: z.array(z.object({ roleId: snowflake, count: nonNegativeInt })),
  asOf: nonNegativeInt,
  version: shortText,
});

/** Asks for the number of holders of each role. */
export const countsQuery = defineQuery<GuildQuestion, GuildRoleCounts>({
  name: 'counts',
  question: z.object({ guildId: snowflake }),
  answer: ({ index }) => ({
    members: index.memberCount,
    roles: index.roleCounts(),
    asOf: index.wholeAsOf,
    version: index.wholeVersion,
  }),
  /** One call gets the counts. The other gets the number of members, and the roles that the counts leave out. */
  async askDiscord(guild, { guildId }) {
    const [counts, { roleIds, memberCount }] = await Promise.all([guild.readRoleCounts(), guild.readGuild()]);
    const roles = [...new Set([...counts.keys(), ...roleIds])]
      .filter((roleId) => roleId !== guildId)
      .sort(compareSnowflakes)
      .map((roleId) => ({ roleId, count: counts.get(roleId) ?? 0 }));
    const members = memberCount ?? 0;
    const digest = createHash('sha256')
      .update(JSON.stringify([members, roles]))
      .digest('base64url');
    return { members, roles, asOf: guild.now(), version: digest };
  },
  write: (summary) => ({ summary }),
  read: ({ summary }) => countsSchema.safeParse(summary).data,
});
