import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { startSimulator } from '../simulator/simulator.ts';
import { newFolder, startProcess } from './service-process.ts';
import { KEY } from '../fixtures/key-pattern.ts';

const ADMIN_ID = '200000000000000001';
const GUILD_ID = '300000000000000001';

describe('the output of a process', () => {
  test('never contains a key or a token, on stdout, on stderr or in storage', async () => {
    await using discord = await startSimulator({
      guilds: [{ id: GUILD_ID, ownerId: ADMIN_ID, members: [{ id: ADMIN_ID }] }],
    });
    const botToken = discord.bot().token;
    const callerToken = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Marked.${'m'.repeat(38)}`;
    const folder = newFolder();
    const service = startProcess({
      LOG_LEVEL: 'trace',
      STORAGE_URL: `sqlite://${folder}/store.sqlite`,
      DISCORD_TOKEN: botToken,
      DISCORD_API_URL: discord.apiUrl,
    });
    const url = `http://127.0.0.1:${await service.ready()}`;
    await discord.until(() => discord.bot().commands.length > 0);
    const as = { guildId: GUILD_ID, userId: ADMIN_ID };
    const key = KEY.exec(
      (await discord.interact.slash('settings key create', { name: 'a' }, as).reply()).text,
    )?.[0];
    expect(key).toBeDefined();
    const wrongKey = `${key?.slice(0, -10)}zzzzzzzzzz`;
    const answers: string[] = [];
    const call = async (target: string, headers: Record<string, string>, method = 'GET') => {
      const response = await fetch(url + target, { method, headers });
      answers.push(await response.text());
      return response.status;
    };
    const authorization = key ?? '';
    expect(await call('/api/key', { authorization })).toBe(200);
    expect(await call('/api/key', { authorization: wrongKey })).toBe(401);
    const members = `/api/role-members?guild_id=${GUILD_ID}&role_id=${GUILD_ID}&source=token`;
    for (const status of [401, 500]) {
      discord.rest.faults.fail('*', status, { message: `${callerToken} ${botToken}` });
      await call(members, { authorization, token: `${callerToken}${status}` });
      discord.rest.faults.clear();
    }
    for (const secret of [authorization, botToken, callerToken]) {
      expect(await call(`/api/key?key=Bot%20${secret.replaceAll('.', '%2E')}`, { authorization })).toBe(400);
      await call(`/${secret}`, { authorization, 'user-agent': secret, 'x-request-id': secret });
    }
    expect(await call('/api/key', { authorization }, 'DELETE')).toBe(200);
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);

    const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'latin1'));
    const everything = [service.output.stdout, service.output.stderr, ...answers, ...files].join('\n');
    expect(service.output.stdout.split('\n').length).toBeGreaterThan(12);
    for (const secret of [authorization, wrongKey, botToken, callerToken]) {
      expect(everything).not.toContain(secret.slice(-34));
    }
  });
});
