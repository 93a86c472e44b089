import { Problem } from '../problem.ts';

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
