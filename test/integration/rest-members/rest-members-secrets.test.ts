import { execFile } from 'node:child_process';
import { inspect, promisify } from 'node:util';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { createLog } from '../../../src/telemetry/log.ts';
import {
  BLUE,
  bigGuild,
  COUNTS,
  GUILD,
  GUILD_ROUTE,
  MEMBERS,
  startTokenListing,
} from './rest-members-setup.ts';

/** Everything that is written to stdout and stderr from here on. */
function captureOutput(): string[] {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      lines.push(String(chunk));
      return true;
    });
    onTestFinished(() => spy.mockRestore());
  }
  const onWarning = (warning: Error) => lines.push(inspect(warning, { depth: Infinity }));
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  return lines;
}

describe('a token', () => {
  test('appears in no output, log, metric or response, whatever the outcome', async () => {
    const printed = captureOutput();
    const logged: string[] = [];
    const log = createLog('trace', { destination: { write: (line: string) => void logged.push(line) } });
    const measured: unknown[] = [];
    const onInvalidRequest = (...told: unknown[]) => void measured.push(told);
    const { ask, directory, discord } = await startTokenListing(bigGuild(2_500), {
      callTimeoutMs: 1_000,
      keptMs: 0,
      onInvalidRequest,
    });
    const { faults } = discord.rest;
    const good = discord.bot().token;
    const bad = good.replace('Simula', 'Unknwn');
    const malformed = `Bearer ${good}`;
    const seen: unknown[] = [];
    const record = async (input: Record<string, unknown> = {}, token = good, asking = ask) => {
      try {
        const answer = await asking(input, { secret: token });
        seen.push(answer, JSON.stringify(answer.value));
        log.info({ answer: answer.value, version: answer.version }, 'answered');
        return 'ok';
      } catch (error) {
        seen.push(error, String(error));
        log.error({ err: error, error }, 'refused');
        return (error as { code?: string }).code;
      }
    };

    const codes = [
      await record(),
      await record({ count_only: true }),
      await record({ role_id: '499999999999999999' }),
      await record({ guild_id: '300000000000000009' }),
      await record({}, malformed),
      await record({}, `${good}.${good}`),
      await record({}, bad),
      await record({}, bad),
    ];
    for (const breakIt of [
      () => faults.fail(GUILD_ROUTE, 500),
      () => faults.fail(MEMBERS, 400, { message: `What is ${good}?` }),
      () => faults.fail(COUNTS, 418, { message: good }),
      () => faults.garble(GUILD_ROUTE, { text: `{"message": "${good}"` }),
      () => faults.garble(GUILD_ROUTE, { text: JSON.stringify({ roles: good }) }),
      () => faults.garble(GUILD_ROUTE, { status: 401, contentType: 'text/html', text: good }),
      () => faults.drop(GUILD_ROUTE),
      () => faults.hold(GUILD_ROUTE),
      () => faults.rateLimit(GUILD_ROUTE, 2),
      () => faults.rateLimit(MEMBERS, 90),
      () => faults.rateLimit(MEMBERS, 0, { times: 3, scope: 'shared' }),
    ]) {
      breakIt();
      codes.push(await record());
    }
    discord.bot().privilegedIntents.clear();
    codes.push(await record());
    const slow = await startTokenListing(
      { ...bigGuild(2_500), bots: [{ token: good }] },
      { callerWaitMs: 50, onInvalidRequest },
    );
    slow.discord.rest.faults.hold(MEMBERS);
    codes.push(await record({}, good, slow.ask));
    await directory.close();
    codes.push(await record());

    expect(new Set(codes)).toEqual(
      new Set([
        'ok',
        'unknown_role',
        'unknown_guild',
        'token_malformed',
        'discord_token_rejected',
        'discord_missing_access',
        'discord_unavailable',
        'discord_timeout',
        'discord_rate_limited',
        'shutting_down',
        'member_list_unavailable',
      ]),
    );
    const inspected = seen.map((each) => inspect(each, { depth: Infinity, showHidden: true, getters: true }));
    const everything = [...printed, ...logged, inspect(measured), ...inspected].join('\n');
    expect(everything).toContain('discord_token_rejected');
    expect(everything).toContain('Still reading this server');
    for (const secret of [good, bad]) {
      // Neither whole nor its last part, which alone would let somebody finish it.
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(secret.split('.').at(-1));
      expect(everything).not.toContain(Buffer.from(secret).toString('base64'));
    }
  });

  test('leaves the heap once the listing is done, although the result is kept', async () => {
    const { discord } = await startTokenListing(bigGuild(2_500));
    const child = new URL('rest-members-heap-child.ts', import.meta.url).pathname;
    const tokenHex = Buffer.from(discord.bot().token).toString('hex');
    const { stdout } = await promisify(execFile)(process.execPath, [
      child,
      discord.apiUrl,
      tokenHex,
      GUILD,
      BLUE,
    ]);
    const found = JSON.parse(stdout) as Record<string, number>;
    expect(found).toMatchObject({ holders: 834, token: 0 });
    // Such a search does find what is kept.
    expect(found['control']).toBeGreaterThan(0);
  });
});
