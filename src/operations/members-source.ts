import { Problem, type ProblemCode } from '../kernel/problem.ts';
import type { Caller } from '../members/member-directory.ts';
import { oneOf, snowflake } from './fields.ts';
import type { OperationContext } from './operation.ts';
import { TOKEN_UNITS } from './secret-headers.ts';

const SOURCES = ['auto', 'gateway', 'token'] as const;

export type Source = (typeof SOURCES)[number];

/** Fields for the server and the source. */
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

/** The service's own bot cannot answer, but the caller's bot may. */
const OWN_BOT_CANNOT: ReadonlySet<ProblemCode> = new Set([
  'member_list_unavailable',
  'discord_missing_access',
  'unknown_guild',
  'discord_unavailable',
  'discord_rate_limited',
  'token_attempts',
]);

/**
 * The source to ask, or the problem, by the source that the caller names, by whether the server is that of the key, and
 * by whether there is a token. The token helps where the service's own list is incomplete.
 */
const WAYS = {
  auto: {
    ownServer: { withToken: 'own, else token', withoutToken: 'own' },
    otherServer: { withToken: 'token', withoutToken: 'guild_mismatch' },
  },
  gateway: {
    ownServer: { withToken: 'own', withoutToken: 'own' },
    otherServer: { withToken: 'guild_mismatch', withoutToken: 'guild_mismatch' },
  },
  token: {
    ownServer: { withToken: 'token', withoutToken: 'missing_field/token' },
    otherServer: { withToken: 'token', withoutToken: 'missing_field/token' },
  },
} as const;

/** The caller's fields for ids that may not exist, by the code of that problem. */
export type FieldsByCode = Partial<Record<ProblemCode, string | ((problem: Problem) => string)>>;

export interface Sources<Own, WithToken> {
  /** @throws Problem; after some problems, the token may help */
  readonly own: (caller: Caller) => Promise<Own>;
  readonly withToken: (caller: Caller) => Promise<WithToken>;
  /** The fields of other ids than that of the server. */
  readonly fields?: FieldsByCode;
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
 * @throws Problem of the source that was asked; `token_malformed` for either source; `guild_mismatch` or
 * `missing_field`
 */
export async function findFrom<Own, WithToken>(
  source: Source,
  guildId: string,
  context: OperationContext,
  sources: Sources<Own, WithToken>,
): Promise<Found<Own | WithToken>> {
  const header = context.secret?.trim() ?? '';
  // Checked even if the token is not needed now, so that the caller learns of a malformed token early.
  const token = header === '' ? null : parseBotToken(header);
  const fields: FieldsByCode = { unknown_guild: 'guild_id', ...sources.fields };
  const own = async () => {
    const value = await namingFields(fields, sources.own(callerOf(context, null)));
    return { source: 'gateway', value } as const;
  };
  const withToken = async () => {
    const value = await namingFields(fields, sources.withToken(callerOf(context, token)));
    return { source: 'token', value } as const;
  };
  const ofServer = WAYS[source][guildId === context.guildId ? 'ownServer' : 'otherServer'];
  const way = ofServer[token === null ? 'withoutToken' : 'withToken'];
  if (way === 'guild_mismatch') throw new Problem(context.guildId === null ? 'guild_mismatch/no_guild' : way);
  if (way === 'missing_field/token') throw new Problem(way, { field: 'Token' });
  if (way === 'token') return withToken();
  if (way === 'own') return own();
  try {
    return await own();
  } catch (error) {
    if (!(error instanceof Problem && OWN_BOT_CANNOT.has(error.code))) throw error;
    return withToken().catch((tokenError: unknown) => {
      // Where callers' tokens are switched off, the caller can only wait for the gateway.
      const isOff = tokenError instanceof Problem && tokenError.code === 'caller_tokens_disabled';
      throw isOff ? error : tokenError;
    });
  }
}

/**
 * Names the caller's field in a problem about an id that does not exist: the code that looks up ids knows no fields.
 */
export async function namingFields<Value>(fields: FieldsByCode, answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    const named = error instanceof Problem && error.field === null ? fields[error.code] : undefined;
    if (!(error instanceof Problem) || named === undefined) throw error;
    const field = typeof named === 'string' ? named : named(error);
    throw new Problem(error.key, { values: error.values, field, cause: error.cause });
  }
}

/** @param token see Caller */
export function callerOf(context: OperationContext, token: string | null): Caller {
  return {
    // Calls count against the guild of the key.
    tenantId: context.tenantId,
    token,
    signal: context.signal,
  };
}

/** Three parts as in Discord's bot tokens and in the JWTs of servers that speak the same API. */
const BOT_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Returns the bare token of a `Token` header, with or without `Bot ` in front.
 * @throws Problem `token_malformed` for texts that Discord would only reject, because each rejection counts towards a
 * ban of our IP address, and because programs must never use user tokens
 */
export function parseBotToken(header: string): string {
  const token = header.length > TOKEN_UNITS.max + 64 ? header : header.trim().replace(/^bot\s+/i, '');
  if (
    token.length < TOKEN_UNITS.min ||
    token.length > TOKEN_UNITS.max ||
    /^mfa\./i.test(token) ||
    !BOT_TOKEN.test(token)
  ) {
    throw new Problem('token_malformed', { field: 'Token' });
  }
  return token;
}
