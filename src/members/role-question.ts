import * as z from 'zod';

import { compareSnowflakes } from '../kernel/snowflake.ts';

const snowflake = z.string().regex(/^\d{1,20}$/);
const whole = z.int().nonnegative();
/** Far more than any operation accepts. */
const roleIds = z.array(snowflake).max(100).readonly();

export const BOT_CHOICES = ['include', 'exclude', 'only'] as const;

export type BotChoice = (typeof BOT_CHOICES)[number];

/** For questions that come from another process. */
export const membersQuestionSchema = z
  .object({
    guildId: snowflake,
    // Each of these lists is ascending and names a role once; the guild's own id means all members.
    /** They hold all of these roles. */
    all: roleIds,
    /** They hold at least one of these, unless the list is empty. */
    any: roleIds,
    /** They hold none of these. */
    none: roleIds,
    /** How bots count: all members, people only, or bots only. */
    bots: z.enum(BOT_CHOICES),
    /** Only these members, ascending; null for all. */
    among: z.array(snowflake).max(1_000).readonly().nullable(),
    /** Draw this many of them at random; null for a list. */
    sample: whole.nullable(),
    /** Only the count is wanted: `members` comes back empty. */
    countOnly: z.boolean(),
    /** The length of a page, 1 to 100,000; null for all. */
    limit: whole.nullable(),
    /** Only ids above this one; null from the start. */
    after: snowflake.nullable(),
  })
  .readonly();

/**
 * Asks who in a guild holds which roles. It is plain data, and travels between processes unchanged. Equal questions are
 * equal as JSON, but each question with a `sample` gets a draw of its own.
 */
export type MembersQuestion = z.output<typeof membersQuestionSchema>;

/** Asks for the number of holders of each role. */
export const countsQuestionSchema = z.object({ guildId: snowflake }).readonly();

export type CountsQuestion = z.output<typeof countsQuestionSchema>;

/** Normalises a question, so that equal questions are equal as JSON. */
export function askMembers(
  question: Pick<MembersQuestion, 'guildId'> & Partial<MembersQuestion>,
): MembersQuestion {
  const { all = [], any = [], none = [], among = null } = question;
  // At least one of a single role means the same as all of it.
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
export function rolesOf({ all, any, none }: MembersQuestion): string[] {
  return [...new Set([...all, ...any, ...none])];
}

/** True when the answer changes as soon as somebody without any role joins. */
export function concernsEveryone(question: MembersQuestion): boolean {
  return question.none.length > 0 || rolesOf(question).includes(question.guildId);
}

function ascending(ids: readonly string[]): string[] {
  if (ids.length < 2) return [...ids];
  return [...new Set(ids)].sort(compareSnowflakes);
}
