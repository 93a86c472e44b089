import { RESTJSONErrorCodes as ErrorCode } from 'discord-api-types/v10';

import { Problem, type ProblemCode } from '../../problem.ts';
import { discordRest } from './rest-pool.ts';

/** Codes for things that do not exist, are not in this guild, or are where the bot is not. */
const UNKNOWN: ReadonlyMap<number, ProblemCode> = new Map([
  [ErrorCode.UnknownGuild, 'unknown_guild'],
  [ErrorCode.UnknownChannel, 'unknown_channel'],
  [ErrorCode.UnknownMember, 'unknown_member'],
  [ErrorCode.UnknownUser, 'unknown_member'],
]);

/**
 * Turns a failed call into a problem for the caller. The error itself is dropped, because it holds addresses and
 * bodies. The cause that goes to the log names only status and code.
 */
export function discordProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { DiscordAPIError, HTTPError } = discordRest();
  if (error instanceof DiscordAPIError) return problemOfStatus(error.status, error.code);
  if (error instanceof HTTPError) {
    return new Problem('discord_unavailable', { cause: new Error(`Discord answered ${error.status}`) });
  }
  const code = systemCode(error);
  if (code === 'TimeoutError' || code === 'AbortError' || /TIMEDOUT|_TIMEOUT$/.test(code)) {
    return new Problem('discord_timeout');
  }
  return new Problem('discord_unavailable', { cause: new Error(`The call to Discord failed: ${code}`) });
}

function problemOfStatus(status: number, code: unknown): Problem {
  const cause = new Error(`Discord answered ${status}, code ${typeof code === 'number' ? code : 'none'}`);
  // An answer without a code comes from a proxy in front of Discord's API.
  if (typeof code === 'number') {
    if (status === 401) return new Problem('discord_token_rejected', { cause });
    if (status === 403) return new Problem('discord_missing_access', { cause });
    const unknown = status === 404 ? UNKNOWN.get(code) : undefined;
    if (unknown !== undefined) return new Problem(unknown, { cause });
  }
  return new Problem('discord_unavailable', { cause });
}

/** A name such as `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT` or `TimeoutError`, without any text from the other side. */
function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^\w{1,40}$/.test(code) ? code : 'unknown';
}
