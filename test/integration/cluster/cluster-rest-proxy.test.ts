import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { proxyRequests } from '@discordjs/proxy';
import { REST } from '@discordjs/rest';
import { describe, expect, test } from 'vitest';

import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { startDiscordApp, startTestApp } from '../../fixtures/test-app.ts';

const ADMIN = '200000000000000001';
const GUILD = '300000000000000001';
const ROLE = '400000000000000001';

/** Keeps the limits of one bot for many processes, set up as the documentation of the proxy says. */
async function startProxy(discord: Simulator) {
  const passed: string[] = [];
  const rest = new REST({ api: discord.apiUrl, rejectOnRateLimit: null, retries: 0 });
  const handle = proxyRequests(rest);
  const server = createServer((request, response) => {
    passed.push(`${request.method} ${request.url}`);
    void handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    passed,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

describe('a service with a proxy for the limits of REST', () => {
  test('sends all its requests to Discord through the proxy, and all features work', async () => {
    await using discord = await startSimulator({
      guilds: [
        {
          id: GUILD,
          ownerId: ADMIN,
          roles: [{ id: ROLE, name: 'Blue' }],
          members: { count: 3_500, rolesOf: (index) => (index % 2 ? [ROLE] : []) },
        },
      ],
    });
    discord.rest.limits.set('GET /guilds/:guild/members', { count: 1, windowMs: 100 });
    await using proxy = await startProxy(discord);
    await using app = await startDiscordApp(discord, { DISCORD_API_URL: proxy.url });
    await discord.until(() => discord.bot().commands.length > 0);

    const asked = discord.interact.slash(
      'settings key create',
      { name: 'k' },
      { guildId: GUILD, userId: ADMIN },
    );
    const key = /qm_\w+/.exec((await asked.reply()).text)?.[0] ?? '';
    expect(asked.refusals).toEqual([]);
    const headers = { authorization: key };
    const holders = discord.guild().holdersOf(ROLE);
    const own = `/api/role-members?role_id=${ROLE}&source=gateway&count_only=true`;
    await expect.poll(async () => (await app.call(own, { headers })).status).toBe(200);
    for (const source of ['gateway', 'token']) {
      const { body } = await app.call(`/api/role-members?role_id=${ROLE}&source=${source}`, {
        headers: { ...headers, token: discord.bot().token },
      });
      expect(body).toMatchObject({ ok: true, source, members: holders });
    }
    const token = `${Buffer.from('1').toString('base64url')}.Simula.${'another-token'.repeat(3).slice(0, 38)}1234`;
    const refused = await app.call(`/api/role-members?role_id=${ROLE}&source=token`, {
      headers: { ...headers, token },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'discord_token_rejected' } });

    const shown = discord.interact.slash('role-members', { role: ROLE }, { guildId: GUILD, userId: ADMIN });
    expect((await shown.reply()).text).toContain('1,750');
    // The proxy asks again by itself when Discord has asked it to wait.
    const answered = discord.rest.calls.filter(({ status }) => status !== 429);
    expect(answered).toHaveLength(proxy.passed.length);
    expect(discord.rest.callsTo('GET /guilds/:guild/members').length).toBeGreaterThanOrEqual(4);
  });

  test('reports a failure of Discord as a failure', async () => {
    await using discord = await startSimulator({
      guilds: [{ id: GUILD, roles: [{ id: ROLE, name: 'Blue' }] }],
    });
    await using proxy = await startProxy(discord);
    await using app = await startTestApp({ DISCORD_API_URL: proxy.url, ALLOW_CALLER_TOKENS: 'true' });
    discord.rest.faults.fail('GET /guilds/:guild/members', 503, { times: 20 });
    const { body } = await app.call(`/api/role-members?guild_id=${GUILD}&role_id=${ROLE}&source=token`, {
      headers: { token: discord.bot().token },
    });
    expect(body).toMatchObject({ ok: false, status: 502, code: 'discord_unavailable' });
  });
});
