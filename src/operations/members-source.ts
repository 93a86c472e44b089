import { Problem, type ProblemCode } from '../kernel/problem.ts';
import type { Caller, GuildQuestion, MemberQuery } from '../members/member-directory.ts';
import { oneOf, snowflake } from './fields.ts';
import { withFieldNames, type FieldsByCode } from './with-field-names.ts';
import type { OperationContext } from './operation.ts';
import { TOKEN_LENGTH } from './secret-headers.ts';

const SOURCES = ['auto', 'gateway', 'token'] as const;

export type Source = (typeof SOURCES)[number];

/** Fields for the server and the source. */
export const MEMBERS_SOURCE_FIELDS = {
  guild_id: snowflake().optional().describe('The server; by default the server of your key'),
  source: oneOf(
    SOURCES,
    "Who is asked: the service's own bot, or the bot of your token; `auto` is whichever can answer",
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

/** The service's own bot cannot answer, but the caller's bot may. */
const OWN_BOT_CANNOT: ReadonlySet<ProblemCode> = new Set([
  'member_list_unavailable',
  'discord_missing_access',
  'unknown_guild',
  'discord_unavailable',
  'discord_rate_limited',
  'token_attempts',
]);

export interface Found<Value> {
  readonly source: 'gateway' | 'token';
  readonly value: Value;
}

/** The server that is asked about. @throws Problem `missing_field` */
export function askedGuild(guildId: string | undefined, context: OperationContext): string {
  const found = guildId ?? context.guildId;
  if (found !== null) return found;
  throw new Problem('missing_field/guild_id', { field: 'guild_id' });
}

/**
 * Asks a question about members. See findFrom.
 * @param query the type of the question, such as `membersQuery`
 */
export function askFrom<Question extends GuildQuestion, Value>(
  source: Source,
  query: MemberQuery<Question, Value>,
  question: Question,
  context: OperationContext,
  fields?: FieldsByCode,
): Promise<Found<Value>> {
  const ask = (caller: Caller) =>
    (caller.token === null ? context.members : context.restMembers).ask(query, question, caller);
  return findFrom(source, question.guildId, context, ask, fields);
}

/**
 * Asks the source that the caller named, or the best one.
 * @param ask asks the service's own bot if the caller has no token
 * @param fields those of other ids than that of the server. Default: none
 * @throws Problem of the source that was asked; `token_malformed` for either source; `guild_mismatch` or
 * `missing_field`
 */
export async function findFrom<Value>(
  source: Source,
  guildId: string,
  context: OperationContext,
  ask: (caller: Caller) => Promise<Value>,
  fields: FieldsByCode = {},
): Promise<Found<Value>> {
  const { tenantId, signal } = context;
  const header = context.secret?.trim() ?? '';
  // Checked even if the token is not needed now, so that the caller learns of a malformed token early.
  const given = header === '' ? null : parseBotToken(header);
  const askWith = async (token: string | null): Promise<Found<Value>> => {
    const answer = ask({ tenantId, signal, token });
    const value = await withFieldNames({ unknown_guild: 'guild_id', ...fields }, answer);
    return { source: token === null ? 'gateway' : 'token', value };
  };
  if (source === 'token') {
    if (given === null) throw new Problem('missing_field/token', { field: 'Token' });
    return askWith(given);
  }
  if (guildId !== context.guildId) {
    // The service's own bot answers only about the server of the key.
    if (source === 'auto' && given !== null) return askWith(given);
    const key = context.guildId === null ? 'guild_mismatch/no_guild' : 'guild_mismatch/members';
    throw new Problem(key, { field: 'guild_id' });
  }
  try {
    return await askWith(null);
  } catch (error) {
    // The token helps where the service's own list is incomplete.
    const canHelp = error instanceof Problem && OWN_BOT_CANNOT.has(error.code);
    if (source === 'gateway' || given === null || !canHelp) throw error;
    return askWith(given).catch((tokenError: unknown) => {
      // Where callers' tokens are switched off, the caller can only wait for the gateway.
      const isOff = tokenError instanceof Problem && tokenError.code === 'caller_tokens_disabled';
      throw isOff ? error : tokenError;
    });
  }
}

/** Three parts as in Discord's bot tokens and in the JWTs of servers that speak the same API. */
const BOT_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Returns the bare token of a `Token` header, with or without `Bot ` in front.
 * @throws Problem `token_malformed` for texts that Discord would only reject, because each rejection counts towards a
 * ban of our IP address, and because programs must never use user tokens
 */
export function parseBotToken(header: string): string {
  const token = header.length > TOKEN_LENGTH.max + 64 ? header : header.trim().replace(/^bot\s+/i, '');
  if (
    token.length < TOKEN_LENGTH.min ||
    token.length > TOKEN_LENGTH.max ||
    /^mfa\./i.test(token) ||
    !BOT_TOKEN.test(token)
  ) {
    throw new Problem('token_malformed/token', { field: 'Token' });
  }
  return token;
}
