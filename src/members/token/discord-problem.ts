import { RESTJSONErrorCodes as ErrorCode } from 'discord-api-types/v10';

import { Problem, type ProblemKey } from '../../kernel/problem.ts';
import { failedCall, refusedCall, systemCode } from '../../upstream/failed-call.ts';
import { discordRest } from './discord-rest.ts';

/** Codes for things that do not exist, are not in this guild, or are where the bot is not. */
const UNKNOWN: ReadonlyMap<number, ProblemKey> = new Map<number, ProblemKey>([
  [ErrorCode.UnknownGuild, 'unknown_guild'],
  [ErrorCode.UnknownChannel, 'unknown_channel'],
  [ErrorCode.UnknownMember, 'unknown_member'],
  [ErrorCode.UnknownUser, 'unknown_member/account'],
]);

/** With status 400: Discord rejects some ids that could be ones, such as those from 2^63 on. */
const REJECTED_ID: number = ErrorCode.InvalidFormBodyOrContentType;

/**
 * Turns a failed call into a problem for the caller. The error itself is dropped, because it holds addresses and
 * bodies. The cause that goes to the log names only status and code.
 * @param path of the call, without a query
 */
export function discordProblem(error: unknown, path: string): Problem {
  if (error instanceof Problem) return error;
  const { DiscordAPIError, HTTPError } = discordRest();
  if (error instanceof DiscordAPIError) return refusalProblem(error.status, error.code, path);
  if (error instanceof HTTPError) {
    return new Problem('discord_unavailable', { cause: new Error(`Discord answered ${error.status}`) });
  }
  const code = systemCode(error);
  if (code === 'TimeoutError' || code === 'AbortError' || /TIMEDOUT|_TIMEOUT$/.test(code)) {
    return new Problem('discord_timeout');
  }
  return new Problem('discord_unavailable', { cause: failedCall(code) });
}

function refusalProblem(status: number, code: unknown, path: string): Problem {
  const cause = refusedCall(status, code);
  // An answer without a code comes from a proxy in front of Discord's API.
  if (typeof code !== 'number') return new Problem('discord_unavailable', { cause });
  if (status === 401) return new Problem('discord_token_rejected', { cause });
  if (status === 403) return new Problem('discord_missing_access', { cause });
  if (status === 400 && code === REJECTED_ID) {
    return new Problem(unknownAt(path) ?? 'discord_unavailable', { cause });
  }
  const unknown = status === 404 ? UNKNOWN.get(code) : undefined;
  return new Problem(unknown ?? 'discord_unavailable', { cause });
}

/** What is unknown when Discord rejects the id at the end of a path; undefined where there is none. */
function unknownAt(path: string): ProblemKey | undefined {
  const [kind = '', id = ''] = path.split('/').slice(-2);
  if (kind === '' || !/^\d+$/.test(id)) return undefined;
  if (kind === 'guilds') return 'unknown_guild';
  return kind === 'channels' ? 'unknown_channel' : 'unknown_member/account';
}
