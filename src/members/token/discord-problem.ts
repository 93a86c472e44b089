import { Problem } from '../../problem.ts';
import { discordRest } from './rest-pool.ts';

/** Discord's own code for a guild that does not exist or that the bot is not in. */
const UNKNOWN_GUILD = 10_004;
/** More of its codes: what does not exist, or not in the guild. */
const UNKNOWN_CHANNEL = 10_003;
const UNKNOWN_MEMBER = 10_007;
const UNKNOWN_USER = 10_013;

/**
 * What a failed call means for the caller. The error itself is dropped, because it holds addresses and bodies. The
 * cause that goes to the log names only status and code.
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
  // Without a code it comes from a proxy in front of Discord's API.
  if (typeof code === 'number') {
    if (status === 401) return new Problem('discord_token_rejected', { cause });
    if (status === 403) return new Problem('discord_missing_access', { cause });
    if (status === 404 && code === UNKNOWN_GUILD) return new Problem('unknown_guild', { cause });
    if (status === 404 && code === UNKNOWN_CHANNEL) return new Problem('unknown_channel', { cause });
    if (status === 404 && (code === UNKNOWN_MEMBER || code === UNKNOWN_USER)) {
      return new Problem('unknown_member', { cause });
    }
  }
  return new Problem('discord_unavailable', { cause });
}

/** `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`, `TimeoutError` ...: a name without any text of the other side. */
function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^\w{1,40}$/.test(code) ? code : 'unknown';
}
