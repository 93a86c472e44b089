import { RESTJSONErrorCodes as ErrorCode } from 'discord-api-types/v10';

import { Problem, type ProblemTextKey } from '../../kernel/problem.ts';
import type { FailedOutcome } from '../../upstream/call-outcome.ts';
import { refusedCall } from '../../upstream/failed-call.ts';

/** Codes for things that do not exist, or that the bot cannot see. */
const UNKNOWN: ReadonlyMap<number, ProblemTextKey> = new Map<number, ProblemTextKey>([
  [ErrorCode.UnknownGuild, 'unknown_guild'],
  [ErrorCode.UnknownChannel, 'unknown_channel'],
  [ErrorCode.UnknownMember, 'unknown_member'],
  [ErrorCode.UnknownUser, 'unknown_member/account'],
]);

/** With status 400: Discord rejects some valid ids, such as those from 2^63 on. */
const REJECTED_ID: number = ErrorCode.InvalidFormBodyOrContentType;

/**
 * The problem that the caller of a failed call gets.
 * @param path of the call, without a query
 */
export function discordProblem(outcome: FailedOutcome, path: string): Problem {
  if (outcome.kind === 'uncertain') {
    return outcome.isSlow
      ? new Problem('discord_timeout')
      : new Problem('discord_unavailable', { cause: outcome.cause });
  }
  const { status, code } = outcome;
  const cause = refusedCall(status, code);
  // The answer comes from a firewall or a proxy, so it does not concern the token.
  if (code === null) return new Problem('discord_unavailable', { cause });
  if (status === 401) return new Problem('discord_token_rejected', { cause });
  if (status === 403) return new Problem('discord_missing_access', { cause });
  if (status === 400 && code === REJECTED_ID) {
    return new Problem(unknownAt(path) ?? 'discord_unavailable', { cause });
  }
  const unknown = status === 404 ? UNKNOWN.get(code) : undefined;
  return new Problem(unknown ?? 'discord_unavailable', { cause });
}

/** Returns the problem when Discord rejects the id at the end of a path; undefined for other paths. */
function unknownAt(path: string): ProblemTextKey | undefined {
  const [kind = '', id = ''] = path.split('/').slice(-2);
  if (kind === '' || !/^\d+$/.test(id)) return undefined;
  if (kind === 'guilds') return 'unknown_guild';
  return kind === 'channels' ? 'unknown_channel' : 'unknown_member/account';
}
