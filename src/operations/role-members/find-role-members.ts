import type { PendingListing, RoleListing } from '../../members/member-directory.ts';
import type { RoleQuestion } from '../../members/role-question.ts';
import { Problem, type ProblemCode } from '../../problem.ts';
import type { OperationContext } from '../operation.ts';

export type Source = 'auto' | 'gateway' | 'token';

export interface FoundMembers {
  readonly source: 'gateway' | 'token';
  readonly listing: RoleListing | PendingListing;
}

/**
 * Asks the source that was named, or the best one.
 * @throws Problem of the directories, `guild_mismatch` or `missing_field`
 */
export async function findRoleMembers(
  question: RoleQuestion,
  source: Source,
  context: OperationContext,
): Promise<FoundMembers> {
  const ownGuild = question.guildId === context.guildId;
  const hasToken = context.token !== null && context.token.trim() !== '';
  if (source === 'token' && !hasToken) {
    throw new Problem('missing_field', {
      field: 'Token',
      error: 'The header Token is missing.',
      hint: 'source=token needs your bot token in the Token header.',
    });
  }
  if (!ownGuild && (source === 'gateway' || !hasToken)) throw foreignGuild(context);
  if (source === 'gateway') return findOverGateway(question, context);
  if (source === 'token' || !ownGuild) return findWithToken(question, context);
  try {
    return await findOverGateway(question, context);
  } catch (error) {
    if (!hasToken || !isProblem(error, 'member_list_unavailable')) throw error;
    try {
      return await findWithToken(question, context);
    } catch (tokenError) {
      // Where tokens are switched off, what the caller can do is wait for the gateway.
      throw isProblem(tokenError, 'caller_tokens_disabled') ? error : tokenError;
    }
  }
}

function isProblem(error: unknown, code: ProblemCode): boolean {
  return error instanceof Problem && error.code === code;
}

async function findOverGateway(question: RoleQuestion, context: OperationContext): Promise<FoundMembers> {
  return { source: 'gateway', listing: await context.members.find(question, context.signal) };
}

async function findWithToken(question: RoleQuestion, context: OperationContext): Promise<FoundMembers> {
  const { token, ownerId, signal } = context;
  const listing = await context.tokenMembers.find(token ?? '', ownerId, question, signal);
  return { source: 'token', listing };
}

function foreignGuild(context: OperationContext): Problem {
  if (context.guildId !== null) return new Problem('guild_mismatch');
  return new Problem('guild_mismatch', {
    error: 'This API key belongs to no server.',
    hint: 'Send your bot token in the Token header to read a server with it.',
  });
}
