import * as z from 'zod';

import { compareSnowflakes } from '../snowflake.ts';

const snowflake = z.string().regex(/^\d{1,20}$/);
const whole = z.int().nonnegative();
/** The bound is far beyond what an operation lets through. */
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
    /** Bots among them: all members, people only, or bots only. */
    bots: z.enum(BOT_CHOICES),
    /** Only these of them, ascending; null for all. */
    among: z.array(snowflake).max(1_000).readonly().nullable(),
    /** Draw this many of them at random; null for a list. */
    sample: whole.nullable(),
    /** Only the count is wanted: `members` comes back empty. */
    countOnly: z.boolean(),
    /** Length of a page, 1 to 100,000; null for all. */
    limit: whole.nullable(),
    /** Only ids above it; null from the start. */
    after: snowflake.nullable(),
  })
  .readonly();

/**
 * Who in a guild holds which roles. It is plain data and goes from process to process as it is. Equal questions are
 * equal as JSON; of those with a `sample` each wants an answer of its own.
 */
export type MembersQuestion = z.output<typeof membersQuestionSchema>;

/** Asks for the number of holders of each role. */
export const countsQuestionSchema = z.object({ guildId: snowflake }).readonly();

export type CountsQuestion = z.output<typeof countsQuestionSchema>;

/** Brings a question into the form in which equal ones are equal. */
export function askMembers(
  question: Pick<MembersQuestion, 'guildId'> & Partial<MembersQuestion>,
): MembersQuestion {
  const { all = [], any = [], none = [], among = null } = question;
  // One of one is the same as each of one.
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

/** The only role of a question, for which a listing can answer before it ends; null when there are several. */
export function onlyRoleOf({ all, any, none }: MembersQuestion): string | null {
  return all.length === 1 && any.length === 0 && none.length === 0 ? (all[0] ?? null) : null;
}

/** True when the answer changes as soon as somebody without any role joins. */
export function concernsEveryone(question: MembersQuestion): boolean {
  return question.none.length > 0 || rolesOf(question).includes(question.guildId);
}

function ascending(ids: readonly string[]): string[] {
  if (ids.length < 2) return [...ids];
  return [...new Set(ids)].sort(compareSnowflakes);
}
