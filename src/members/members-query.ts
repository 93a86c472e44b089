import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import { Problem } from '../kernel/problem.ts';
import { compareSnowflakes } from '../kernel/snowflake.ts';
import { secureRandomBelow, type RandomBelow } from './index/holders.ts';
import { IdList } from './index/id-list.ts';
import { BOTS_PSEUDO_ROLE, type MemberIndex, type RoleCondition } from './index/member-index.ts';
import { defineQuery, type GuildReader } from './member-directory.ts';
import { nonNegativeInt, shortText, snowflake } from '../kernel/schemas.ts';
import { BOT_FILTERS } from './bot-filter.ts';

/** Far more than any operation accepts. */
const roleIds = z.array(snowflake).max(100).readonly();

const membersQuestionSchema = z
  .object({
    guildId: snowflake,
    // These lists are ascending and without duplicates. The guild's own id means all members.
    /** Members hold all of these roles. */
    all: roleIds,
    /** Members hold at least one of these, unless the list is empty. */
    any: roleIds,
    /** Members hold none of these. */
    none: roleIds,
    /** How bots count: all members, people only, or bots only. */
    bots: z.enum(BOT_FILTERS),
    /** Only these members, ascending; null for all. */
    among: z.array(snowflake).max(1_000).readonly().nullable(),
    /** Draw this many of them at random, or null for a list. */
    sample: nonNegativeInt.nullable(),
    /** True to return only the count, with `members` empty. */
    countOnly: z.boolean(),
    /** The length of a page, 1 to 100,000; null for all. */
    limit: nonNegativeInt.nullable(),
    /** Only ids above this one; null from the start. */
    after: snowflake.nullable(),
  })
  .readonly();

/**
 * Asks which members of a guild hold which roles. It is plain data, which travels between processes unchanged. Equal
 * questions are equal as JSON, but each question with a `sample` gets a draw of its own.
 */
export type MembersQuestion = z.output<typeof membersQuestionSchema>;

/** Ids ascending or drawn at random. */
export interface RoleMembersResult {
  /** All matches, on this page or not. */
  readonly count: number;
  /** Ids in `members`. */
  readonly returned: number;
  /** The last id of the page; null on the last page. */
  readonly nextAfter: string | null;
  /** Unix seconds of the last change of this answer. */
  readonly asOf: number;
  /** Opaque; differs whenever the answer to the same question may differ, also between processes. */
  readonly version: string;
  /** Read it in the same iteration of the event loop. */
  readonly members: IdList;
}

const listingSummary = z.object({
  count: nonNegativeInt,
  returned: nonNegativeInt,
  nextAfter: snowflake.nullable(),
  asOf: nonNegativeInt,
  version: shortText,
});

export const membersQuery = defineQuery<MembersQuestion, RoleMembersResult>({
  name: 'members',
  question: membersQuestionSchema,
  answer: ({ index }, question) => answerQuestion(index, question),
  async askDiscord(guild, question) {
    if (isCountedByDiscord(question)) return countWithDiscord(guild, question);
    return answerQuestion(await guild.readMembers(rolesOf(question)), question);
  },
  write: ({ members, ...summary }) => ({ summary, ids: members }),
  read(received) {
    const summary = listingSummary.safeParse(received.summary).data;
    return summary?.returned === received.ids.length
      ? { ...summary, members: new IdList(received.ids) }
      : undefined;
  },
});

/** Normalises a question so that equal questions have equal JSON. */
export function membersQuestion(
  question: Pick<MembersQuestion, 'guildId'> & Partial<MembersQuestion>,
): MembersQuestion {
  const { all = [], any = [], none = [], among = null } = question;
  // For a single role, `any` means the same as `all`.
  const isOne = new Set(any).size === 1;
  return {
    guildId: question.guildId,
    all: ascending(isOne ? [...all, ...any] : all),
    any: isOne ? [] : ascending(any),
    none: ascending(none),
    bots: question.bots ?? 'include',
    among: among === null ? null : ascending(among),
    sample: question.sample ?? null,
    countOnly: question.countOnly ?? false,
    limit: question.limit ?? null,
    after: question.after ?? null,
  };
}

/** Each role once. */
function rolesOf({ all, any, none }: MembersQuestion): string[] {
  return [...new Set([...all, ...any, ...none])];
}

/** True when the answer changes as soon as a member without roles joins. */
function concernsEveryone(question: MembersQuestion): boolean {
  return question.none.length > 0 || rolesOf(question).includes(question.guildId);
}

function ascending(ids: readonly string[]): string[] {
  if (ids.length < 2) return [...ids];
  return [...new Set(ids)].sort(compareSnowflakes);
}

/**
 * Answers from a complete index.
 * @param randomBelow default: unpredictable random numbers
 * @throws Problem `unknown_role`
 */
export function answerQuestion(
  index: MemberIndex,
  question: MembersQuestion,
  randomBelow: RandomBelow = secureRandomBelow,
): RoleMembersResult {
  const named = rolesOf(question);
  const unknown = named.find((roleId) => !index.hasRole(roleId));
  if (unknown !== undefined) throw unknownRole(unknown, named.length > 1);
  const roleIds = rolesThatMatter(question);
  const version = index.version(...roleIds);
  const { sample, countOnly, limit, after } = question;
  const holders = index.holders(conditionOf(question), question.among);
  const asOf = index.asOf(...roleIds);
  const answer = (ids: IdList, nextAfter: string | null, ownVersion = version): RoleMembersResult => {
    const { count } = holders;
    return {
      count,
      returned: ids.length,
      nextAfter,
      asOf,
      version: ownVersion,
      members: ids,
    };
  };
  if (countOnly) return answer(new IdList(new BigUint64Array()), null);
  if (sample !== null) {
    // Each sample has its own version.
    return answer(holders.sample(sample, randomBelow), null, `${version}/${randomUUID()}`);
  }
  const { ids, nextAfter } = holders.page(limit, after);
  return answer(ids, nextAfter);
}

/** Turns the bot filter into a condition on BOTS_PSEUDO_ROLE. */
function conditionOf({ all, any, none, bots }: MembersQuestion): RoleCondition {
  return {
    all: bots === 'only' ? [...all, BOTS_PSEUDO_ROLE] : all,
    any,
    none: bots === 'exclude' ? [...none, BOTS_PSEUDO_ROLE] : none,
  };
}

/** Returns the roles whose holders decide the answer. */
function rolesThatMatter(question: MembersQuestion): string[] {
  const roleIds = rolesOf(question);
  const { bots, guildId } = question;
  if (concernsEveryone(question) && !roleIds.includes(guildId)) roleIds.push(guildId);
  return bots === 'include' ? roleIds : [...roleIds, BOTS_PSEUDO_ROLE];
}

/** True for questions that Discord answers with its own counts, in one call. Those include bots. */
function isCountedByDiscord({ all, any, none, among, bots, countOnly, guildId }: MembersQuestion): boolean {
  const isOneRole = all.length === 1 && any.length === 0 && none.length === 0 && all[0] !== guildId;
  return countOnly && bots === 'include' && among === null && isOneRole;
}

/** Takes one call, or two for a role without holders, which Discord's counts leave out. */
async function countWithDiscord(guild: GuildReader, { all }: MembersQuestion): Promise<RoleMembersResult> {
  const [roleId = ''] = all;
  const known = (await guild.readRoleCounts()).get(roleId);
  if (known === undefined) await guild.readGuild(all);
  const count = known ?? 0;
  const asOf = guild.now();
  const members = new IdList(new BigUint64Array());
  return { count, returned: 0, nextAfter: null, asOf, version: `count ${count} ${asOf}`, members };
}

/** @param isOneOfSeveral true if the caller named several roles, so that the problem says which one is wrong */
export function unknownRole(roleId: string, isOneOfSeveral: boolean): Problem {
  return new Problem(isOneOfSeveral ? 'unknown_role/id' : 'unknown_role', { values: { id: roleId } });
}
