import { inspect } from 'node:util';

import type { DiscordAPIError } from '@discordjs/rest';
import { describe, expect, test } from 'vitest';

import { discordProblem } from '../../../../src/members/rest/discord-problem.ts';
import { discordRest } from '../../../../src/upstream/discord-rest.ts';
import { outcomeOf } from '../../../../src/upstream/token-sender.ts';

const SECRET = 'a-secret-in-every-part';

const { DiscordAPIError: ApiError, HTTPError } = discordRest();

function apiError(status: number, code: number | string | undefined): DiscordAPIError {
  const url = `https://discord.com/api/v10/guilds/1?x=${SECRET}`;
  const raw = { message: SECRET, code, errors: { field: { _errors: [{ code: SECRET, message: SECRET }] } } };
  return new ApiError(raw as never, code as never, status, 'GET', url, {
    files: [],
    body: { SECRET },
  });
}

function coded(code: string, name = 'Error'): Error {
  return Object.assign(new Error(SECRET), { code, name });
}

describe('a failed call to Discord', () => {
  test.each<[string, unknown, string, string | null]>([
    ['401', apiError(401, 0), 'discord_token_rejected', 'Discord answered 401, code 0'],
    ['403', apiError(403, 50_001), 'discord_missing_access', 'Discord answered 403, code 50001'],
    ['404 of a guild', apiError(404, 10_004), 'unknown_guild', 'Discord answered 404, code 10004'],
    ['404 of a route', apiError(404, 0), 'discord_unavailable', 'Discord answered 404, code 0'],
    ['400', apiError(400, 50_035), 'discord_unavailable', 'Discord answered 400, code 50035'],
    ['403 of a proxy', apiError(403, undefined), 'discord_unavailable', 'Discord answered 403, code none'],
    ['401 of a proxy', apiError(401, SECRET), 'discord_unavailable', 'Discord answered 401, code none'],
    [
      '502',
      new HTTPError(502, SECRET, 'GET', SECRET, { files: [], body: SECRET }),
      'discord_unavailable',
      'Discord answered 502, code none',
    ],
    ['a deadline', new DOMException(SECRET, 'TimeoutError'), 'discord_timeout', null],
    [
      'an abort',
      coded('ABORT_ERR', 'AbortError'),
      'discord_unavailable',
      'The call to Discord failed: ABORT_ERR',
    ],
    ['slow headers', coded('UND_ERR_HEADERS_TIMEOUT'), 'discord_timeout', null],
    ['a slow connection', coded('UND_ERR_CONNECT_TIMEOUT'), 'discord_timeout', null],
    ['a dead connection', coded('ETIMEDOUT'), 'discord_timeout', null],
    [
      'a refused connection',
      coded('ECONNREFUSED'),
      'discord_unavailable',
      'The call to Discord failed: ECONNREFUSED',
    ],
    ['no JSON', new SyntaxError(SECRET), 'discord_unavailable', 'The call to Discord failed: SyntaxError'],
    [
      'an odd code',
      coded(`${SECRET} ${SECRET}`),
      'discord_unavailable',
      'The call to Discord failed: unknown',
    ],
    ['no error at all', SECRET, 'discord_unavailable', 'The call to Discord failed: unknown'],
  ])('becomes a problem: %s', (_, error, code, cause) => {
    const outcome = outcomeOf(error);
    if (outcome.kind !== 'refused' && outcome.kind !== 'uncertain') throw new Error(outcome.kind);
    const problem = discordProblem(outcome, '/guilds/1/members');
    expect(inspect(outcome, { depth: Infinity, showHidden: true })).not.toContain(SECRET);
    expect(problem.code).toBe(code);
    expect((problem.cause as Error | undefined)?.message ?? null).toBe(cause);
    expect(inspect(problem, { depth: Infinity, showHidden: true })).not.toContain(SECRET);
  });
});
