import { Problem, type ProblemCode } from '../kernel/problem.ts';
import { oneOf, snowflake } from './fields.ts';
import type { OperationContext } from './operation.ts';

const SOURCES = ['auto', 'gateway', 'token'] as const;

export type Source = (typeof SOURCES)[number];

/** Fields for the server, and for whom to ask about it. */
export const MEMBERS_SOURCE_FIELDS = {
  guild_id: snowflake().optional().describe('The server; by default the server of your key'),
  source: oneOf(
    SOURCES,
    "Who is asked: the service's own bot, or the bot of your token; by default whichever can answer",
  ).default('auto'),
};

/** Problems of an operation that asks Discord with a caller's token. */
export const TOKEN_PROBLEMS = [
  'token_malformed',
  'guild_mismatch',
  'caller_tokens_disabled',
  'discord_token_rejected',
  'discord_missing_access',
  'unknown_guild',
  'token_attempts',
  'discord_rate_limited',
  'discord_unavailable',
  'member_list_unavailable',
  'discord_paused',
  'discord_timeout',
] as const satisfies readonly ProblemCode[];

/** The service's own bot cannot answer, but another one may. */
const OWN_BOT_CANNOT: ReadonlySet<ProblemCode> = new Set([
  'member_list_unavailable',
  'discord_missing_access',
  'unknown_guild',
  'discord_unavailable',
  'discord_rate_limited',
  'token_attempts',
]);

/** Two ways to ask about a server. */
export interface Ways<Own, WithToken> {
  /** @throws Problem; after some problems, the other way may help */
  readonly own: () => Promise<Own>;
  /** @param token without `Bot` in front */
  readonly withToken: (token: string) => Promise<WithToken>;
}

export interface Found<Value> {
  readonly source: 'gateway' | 'token';
  readonly value: Value;
}

/** @throws Problem `missing_field` */
export function guildOf(guildId: string | undefined, context: OperationContext): string {
  const found = guildId ?? context.guildId;
  if (found !== null) return found;
  throw new Problem('missing_field/guild_id', { field: 'guild_id' });
}

/**
 * Asks the source that the caller named, or the best one.
 * @throws Problem of the source that was asked; `token_malformed` whichever is asked; `guild_mismatch` or
 * `missing_field`
 */
export async function findFrom<Own, WithToken>(
  source: Source,
  guildId: string,
  context: OperationContext,
  ways: Ways<Own, WithToken>,
): Promise<Found<Own | WithToken>> {
  const isOwnGuild = guildId === context.guildId;
  const header = context.secret?.trim() ?? '';
  // Checked even if the token is not needed now, so that the caller learns of a malformed token early.
  const token = header === '' ? null : parseBotToken(header);
  const own = async () => ({ source: 'gateway' as const, value: await ways.own() });
  const ask = async (given: string) => ({ source: 'token' as const, value: await ways.withToken(given) });
  if (source === 'token' && token === null) {
    throw new Problem('missing_field/token', { field: 'Token' });
  }
  if (!isOwnGuild && (source === 'gateway' || token === null)) throw foreignGuild(context);
  if (source === 'gateway' || token === null) return own();
  if (source === 'token' || !isOwnGuild) return ask(token);
  try {
    return await own();
  } catch (error) {
    if (!(error instanceof Problem && OWN_BOT_CANNOT.has(error.code))) throw error;
    try {
      return await ask(token);
    } catch (tokenError) {
      // Where tokens are switched off, the caller can only wait for the gateway.
      const isOff = tokenError instanceof Problem && tokenError.code === 'caller_tokens_disabled';
      throw isOff ? error : tokenError;
    }
  }
}

function foreignGuild(context: OperationContext): Problem {
  return new Problem(context.guildId === null ? 'guild_mismatch/no_guild' : 'guild_mismatch');
}

/** Three parts as in Discord's bot tokens and in the JWTs of servers that speak the same API. */
const BOT_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const CHARS_MIN = 50;
const CHARS_MAX = 1_024;

/**
 * The bare token of a `Token` header, with or without `Bot ` in front.
 * @throws Problem `token_malformed` for whatever Discord would only reject: each rejection counts towards a ban of
 * our address, and user tokens must not be used by a program at all.
 */
export function parseBotToken(header: string): string {
  const token = header.length > CHARS_MAX + 64 ? header : header.trim().replace(/^bot\s+/i, '');
  if (
    token.length < CHARS_MIN ||
    token.length > CHARS_MAX ||
    /^mfa\./i.test(token) ||
    !BOT_TOKEN.test(token)
  ) {
    throw new Problem('token_malformed', { field: 'Token' });
  }
  return token;
}
